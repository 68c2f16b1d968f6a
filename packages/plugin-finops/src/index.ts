export default { name: 'finops' };
