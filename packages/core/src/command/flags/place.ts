import { Flags } from '@oclif/core';
import { PROVIDERS } from '../../workload/provider.js';

/** Where workloads run. */
export const place = {
  provider: Flags.option({
    description: 'Provider where the workloads run, for cost and carbon. [default for all four flags: `workloads` of bylaw.yaml]',
    options: PROVIDERS,
  })(),
  region: Flags.string({ description: 'Region of the provider, or the country of your own data centre.', helpValue: 'REGION' }),
  'instance-type': Flags.string({
    description: 'Type of the machines that pods run on, unless they request a different one.',
    helpValue: 'TYPE',
  }),
  nodes: Flags.integer({ description: 'Number of machines, for DaemonSets.', helpValue: 'N', min: 1, max: 1_000_000 }),
};
