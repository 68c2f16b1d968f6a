import { definePlugin } from '@bylaw/core/plugin';

// Every command loads this module, and only a server needs what stands behind it.
const doors = () => import('./doors/index.js');

export default definePlugin({
  name: 'finops',
  config: {
    finops: {
      description: 'Cost settings.',
      type: 'object',
      additionalProperties: false,
      properties: {
        prices: {
          description:
            'Price file that overrides the list prices of `bylaw validate`, relative to this file: an Amazon EC2 price list as CSV, or prices in the OpenCost CSV format, optionally `.gz`.',
          type: 'string',
          minLength: 1,
          maxLength: 1000,
          isPath: true,
        },
      },
    },
  },
  routes: async (router, services) => {
    for (const route of (await doors()).finopsRoutes(services)) router.add(route);
  },
  compare: { member: 'cost', module: new URL('./doors/compare.js', import.meta.url) },
  tools: async () => (await doors()).finopsTools,
});
