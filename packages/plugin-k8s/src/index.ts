export default {
  name: 'k8s',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
};
