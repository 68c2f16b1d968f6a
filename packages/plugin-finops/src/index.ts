import { definePlugin } from '@bylaw/core/plugin';

export default definePlugin({
  name: 'finops',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
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
  // Every command loads this module, and only a server needs what is behind it.
  endpoints: async () => {
    const { findCostAnomalies, forecastCost } = await import('./endpoints/endpoints.js');
    return [findCostAnomalies, forecastCost];
  },
  tags: { finops: 'Cost anomalies and forecasts.' },
  compare: {
    member: 'cost',
    module: new URL('./endpoints/compare.js', import.meta.url),
    rank: 10,
    increase: 'Exit with 1 if the monthly cost rises by more than this percentage.',
    examples: [
      {
        description: 'Fail if the monthly cost rises by more than 10 %',
        command: '<%= config.bin %> validate main/deploy branch/deploy --provider aws --region us-east-1 --fail-on-cost-increase 10%',
      },
    ],
    view: async () => (await import('./endpoints/difference-view.js')).costView,
  },
});
