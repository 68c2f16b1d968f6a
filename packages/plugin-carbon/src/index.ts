export default { name: 'carbon' };
