import { definePlugin } from '@bylaw/core/plugin';

// Every command loads this module, and only a server needs what stands behind it.
const doors = () => import('./doors/index.js');

export default definePlugin({
  name: 'finops',
  config: {
    finops: {
      description: 'Cost.',
      type: 'object',
      additionalProperties: false,
      properties: {
        prices: {
          description:
            'File of prices that go before the list prices of `bylaw validate`, relative to this file: the CSV of a price list of Amazon EC2, or prices in the CSV form of OpenCost; `.gz` is unpacked.',
          type: 'string',
          minLength: 1,
          maxLength: 1000,
        },
      },
    },
  },
  routes: async (router) => {
    for (const route of (await doors()).finopsRoutes()) router.add(route);
  },
  compare: { member: 'cost', module: new URL('./doors/compare.js', import.meta.url) },
  tools: async () => (await doors()).finopsTools,
});
