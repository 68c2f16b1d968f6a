import { definePlugin } from '@bylaw/core/plugin';

// Every command loads this module, and only a server needs what stands behind it.
const doors = () => import('./doors/index.js');

export default definePlugin({
  name: 'finops',
  routes: async (router) => {
    for (const route of (await doors()).finopsRoutes()) router.add(route);
  },
  compare: { member: 'cost', module: new URL('./doors/compare.js', import.meta.url) },
  tools: async () => (await doors()).finopsTools,
});
