import { definePlugin } from '@bylaw/core/plugin';

export default definePlugin({
  name: 'carbon',
  // Every command loads this module, and only a server needs what is behind it.
  endpoints: async () => {
    const { estimateCarbon, reportCarbon } = await import('./doors/endpoints.js');
    return [estimateCarbon, reportCarbon];
  },
  compare: { member: 'carbon', module: new URL('./doors/compare.js', import.meta.url) },
});
