import { definePlugin } from '@bylaw/core/plugin';

export default definePlugin({
  name: 'k8s',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
});
