import { Flags } from '@oclif/core';

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
