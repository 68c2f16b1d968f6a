export default { name: 'cloud' };
