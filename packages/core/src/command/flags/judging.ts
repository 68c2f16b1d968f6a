import { Flags } from '@oclif/core';
import { rule } from './rule.js';
import { selection } from './selection.js';

/** How configurations are judged: which rules, and what is known about the input. */
export const judging = {
  ...selection,
  rule,
  'no-exceptions': Flags.boolean({
    description: 'Let no exception and no baseline count: findings that they cover fail, and say so.',
  }),
  baseline: Flags.string({ description: 'File of known findings, which then do not count.', helpValue: 'FILE' }),
  namespace: Flags.string({ char: 'n', description: 'Namespace of objects that name none. [default: default]', helpValue: 'NAME' }),
};
