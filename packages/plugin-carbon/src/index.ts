import { definePlugin } from '@bylaw/core/plugin';

export default definePlugin({
  name: 'carbon',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
  // Every command loads this module, and only a server needs what is behind it.
  endpoints: async () => {
    const { estimateCarbon, reportCarbon } = await import('./endpoints/endpoints.js');
    return [estimateCarbon, reportCarbon];
  },
  tags: { carbon: 'Energy and emissions of what runs.' },
  compare: {
    member: 'carbon',
    module: new URL('./endpoints/compare.js', import.meta.url),
    rank: 20,
    increase: 'Exit with 1 if the monthly emissions rise by more than this percentage.',
    view: async () => (await import('./endpoints/difference-view.js')).carbonView,
  },
});
