import { Flags } from '@oclif/core';

const number = (description: string, helpValue: string) => Flags.string({ description, helpValue, helpGroup: 'ASSUMPTIONS' });
const several = { multiple: true, multipleNonGreedy: true } as const;

/** Flags of the commands that estimate. They load nothing else. */
export const estimateFlags = {
  provider: Flags.option({ description: 'Where it runs.', options: ['aws', 'azure', 'gcp', 'on-prem'] as const })(),
  region: Flags.string({ description: 'Region of the provider; for on-prem the country, such as DE.', helpValue: 'REGION' }),
  terraform: Flags.string({ description: 'Plan or state, from terraform show -json.', helpValue: 'FILE' }),
  focus: Flags.string({
    description: 'Bill: FOCUS, AWS CUR, or an export of Google Cloud or Azure, as CSV or JSON, also .gz; - is standard input.',
    helpValue: 'FILE',
    ...several,
  }),
  usage: Flags.string({ description: 'JSON list of {id, instance_type, hours, count, cpu_utilization}.', helpValue: 'FILE' }),
  nodes: Flags.string({
    description: 'Nodes that the pods run on: m5.xlarge=3, with labels m5.xlarge=3:pool=web.',
    helpValue: 'TYPE=COUNT',
    ...several,
  }),
  'period-hours': Flags.string({ description: 'Length of the period.', helpValue: 'HOURS', default: '730' }),
  'functional-unit': Flags.string({ description: 'Units in the period, for the SCI: requests=8.1e8.', helpValue: 'NAME=COUNT' }),
  'cpu-utilization': number('Load of instances, or the part of their requests that pods use, 0 to 1.', 'SHARE'),
  'gpu-utilization': number('Load of GPUs, 0 to 1.', 'SHARE'),
  packing: number('Part of the nodes that pods reserve, 0 to 1.', 'SHARE'),
  pue: number('Power usage effectiveness.', 'RATIO'),
  grid: number('Intensity of the grid, in g CO2e per kWh.', 'GRAMS'),
  'market-grid': number('Intensity of the electricity that was bought, in g CO2e per kWh.', 'GRAMS'),
  'lifespan-years': number('Years that a server is in use.', 'YEARS'),
  'storage-replication': number('Copies that a provider keeps of stored data.', 'COPIES'),
  'job-minutes': number('How long a pod of a Job runs.', 'MINUTES'),
  marginal: Flags.boolean({ description: 'Take --grid for the marginal intensity.', dependsOn: ['grid'] }),
  'no-embodied': Flags.boolean({ description: 'Leave out the making of the servers.' }),
  'power-model': Flags.option({
    description: 'Measured and calibrated power, or the raw figures of Cloud Carbon Footprint.',
    options: ['best', 'ccf'] as const,
    default: 'best' as const,
  })(),
  'spend-based': Flags.boolean({
    description: 'Estimate rows of bills without a physical model by their cost, from a quarter to four times.',
  }),
  strict: Flags.boolean({ description: 'Refuse regions and types that are not known.' }),
};
