import { Flags } from '@oclif/core';
import { rule } from './rule.js';
import { selection } from './selection.js';

/** How configurations are judged: which rules, and what is known about the input. */
export const judging = {
  ...selection,
  rule,
  'no-exceptions': Flags.boolean({
    description: 'Ignore all exceptions and baselines: the findings that they cover fail, and the report says so.',
  }),
  baseline: Flags.string({ description: 'Baseline file: the known findings in it do not count.', helpValue: 'FILE' }),
  namespace: Flags.string({ char: 'n', description: 'Namespace for objects that do not set one. [default: default]', helpValue: 'NAME' }),
};
