import { Flags } from '@oclif/core';

/** Mending what is found. */
export const fixing = {
  fix: Flags.boolean({ description: 'Mend in the files what has a safe fix, then report what remains.' }),
  'dry-run': Flags.boolean({ description: 'With --fix: print the changes as a diff, and write nothing.', dependsOn: ['fix'] }),
};
