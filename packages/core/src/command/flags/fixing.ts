import { Flags } from '@oclif/core';

/** Fixing what is found. */
export const fixing = {
  fix: Flags.boolean({ description: 'Apply the safe fixes to the files, then report what remains.' }),
  'fix-unsafe': Flags.boolean({
    description: 'Also apply the fixes that can stop a workload from starting, and list what to test afterwards.',
  }),
  'dry-run': Flags.boolean({
    description: 'With --fix or --fix-unsafe: print the changes as a diff and write nothing.',
    relationships: [{ type: 'some', flags: ['fix', 'fix-unsafe'] }],
  }),
};
