export default { name: 'gate' };
