import { Flags } from '@oclif/core';
import { UNDECIDED_HANDLING } from '../../evaluate/findings/undecided-check.js';
import { rule } from './common.js';

/** Which rules a command uses or lists. Several values of one flag are alternatives; different flags restrict each other. */
export const selection = {
  category: Flags.string({
    char: 'c',
    description: 'Use only rules of these categories, for example CS,SP.',
    helpValue: 'CODE',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  severity: Flags.string({
    char: 's',
    description: 'Use only rules of these severities: CRITICAL, HIGH, MEDIUM, LOW, INFO.',
    helpValue: 'SEVERITY',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  framework: Flags.string({
    description: 'Use only rules that map to these frameworks, with or without edition and item, for example CIS-K8S,PSS-BASELINE,NSA-K8S.',
    helpValue: 'NAME',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
};

/** How configurations are evaluated: which rules, and what is known about the input. */
export const evaluation = {
  ...selection,
  rule,
  'no-exceptions': Flags.boolean({
    description: 'Ignore all exceptions and baselines: the findings that they cover fail, and the report says so.',
  }),
  complete: Flags.boolean({
    description: 'The input contains everything that is in the cluster: what an object refers to and is not in the input does not exist.',
  }),
  undecided: Flags.option({
    options: UNDECIDED_HANDLING,
    description:
      'What to do about checks that cannot be decided, because a value is known only after apply or an object is not in the input: ignore them, report them, or report them and exit with 2. [default: warn]',
  })(),
  baseline: Flags.string({ description: 'Baseline file: the known findings in it do not count.', helpValue: 'FILE' }),
  namespace: Flags.string({ char: 'n', description: 'Namespace for objects that do not set one. [default: default]', helpValue: 'NAME' }),
};
