import { Flags } from '@oclif/core';

export const policyFrom = Flags.string({
  description:
    'Take bylaw.yaml, its exceptions, baseline and rule folders from this branch, tag or commit. Exceptions that the working tree adds do not count.',
  helpValue: 'REF',
});
