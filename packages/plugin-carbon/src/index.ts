import { definePlugin } from '@bylaw/core/plugin';

// Every command loads this module, and only a server needs what stands behind it.
const doors = () => import('./doors/index.js');

export default definePlugin({
  name: 'carbon',
  routes: async (router, services) => {
    for (const route of (await doors()).carbonRoutes(services)) router.add(route);
  },
  compare: { member: 'carbon', module: new URL('./doors/compare.js', import.meta.url) },
  tools: async () => (await doors()).carbonTools,
});
