import { Flags } from '@oclif/core';
import { PROVIDERS } from '../../workload/provider.js';

/** Where workloads run. */
export const place = {
  provider: Flags.option({
    description: 'Provider at which the workloads run, for cost and carbon. [default: `workloads` of bylaw.yaml, for all four]',
    options: PROVIDERS,
  })(),
  region: Flags.string({ description: 'Region of the provider, or the country of an own data centre.', helpValue: 'REGION' }),
  'instance-type': Flags.string({
    description: 'Type of the machines that pods run on, unless they ask for another.',
    helpValue: 'TYPE',
  }),
  nodes: Flags.integer({ description: 'How many machines there are, for DaemonSets.', helpValue: 'N', min: 1, max: 1_000_000 }),
};
