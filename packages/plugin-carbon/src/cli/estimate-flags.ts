import { Flags } from '@oclif/core';

const number = (description: string, helpValue: string) => Flags.string({ description, helpValue, helpGroup: 'ASSUMPTIONS' });
const several = { multiple: true, multipleNonGreedy: true } as const;

/** Flags of the commands that estimate. They load nothing else. */
export const estimateFlags = {
  provider: Flags.option({ description: 'Provider that the workloads run on.', options: ['aws', 'azure', 'gcp', 'on-prem'] as const })(),
  region: Flags.string({ description: 'Region of the provider; for on-prem, the country, such as DE.', helpValue: 'REGION' }),
  terraform: Flags.string({ description: 'Terraform plan or state, written by terraform show -json.', helpValue: 'FILE' }),
  focus: Flags.string({
    description: 'Bill: FOCUS, AWS CUR, or a Google Cloud or Azure export, as CSV or JSON, optionally .gz; - for standard input.',
    helpValue: 'FILE',
    ...several,
  }),
  usage: Flags.string({
    description: 'JSON file with a usage list of {id, instance_type, hours, count, cpu_utilization}.',
    helpValue: 'FILE',
  }),
  nodes: Flags.string({
    description: 'Nodes that the pods run on: m5.xlarge=3, or with labels, m5.xlarge=3:pool=web.',
    helpValue: 'TYPE=COUNT',
    ...several,
  }),
  'period-hours': Flags.string({ description: 'Length of the period, in hours.', helpValue: 'HOURS', default: '730' }),
  'functional-unit': Flags.string({
    description: 'Functional unit of the SCI, with its count in the period: requests=8.1e8.',
    helpValue: 'NAME=COUNT',
  }),
  'cpu-utilization': number('CPU utilization of instances, or the share of their requests that pods use, 0 to 1.', 'SHARE'),
  'gpu-utilization': number('GPU utilization, 0 to 1.', 'SHARE'),
  packing: number('Share of the node capacity that pods reserve, 0 to 1.', 'SHARE'),
  pue: number('Power usage effectiveness of the data centre.', 'RATIO'),
  grid: number('Grid intensity, in g CO2e per kWh.', 'GRAMS'),
  'market-grid': number('Intensity of the purchased electricity, in g CO2e per kWh.', 'GRAMS'),
  'lifespan-years': number('Service life of a server, in years.', 'YEARS'),
  'storage-replication': number('Number of copies that the provider keeps of stored data.', 'COPIES'),
  'job-minutes': number('Run time of a Job pod, in minutes.', 'MINUTES'),
  marginal: Flags.boolean({ description: 'Use --grid as the marginal grid intensity.', dependsOn: ['grid'] }),
  'no-embodied': Flags.boolean({ description: 'Leave out embodied emissions.' }),
  'power-model': Flags.option({
    description: 'Power model: best for measured and calibrated figures, ccf for the raw figures of Cloud Carbon Footprint.',
    options: ['best', 'ccf'] as const,
    default: 'best' as const,
  })(),
  'spend-based': Flags.boolean({
    description: 'Estimate bill rows without a physical model from their cost, with a range from a quarter to four times.',
  }),
  strict: Flags.boolean({ description: 'Reject unknown regions and instance types.' }),
};
