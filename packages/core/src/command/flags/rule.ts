import { Flags } from '@oclif/core';

export const rule = Flags.string({
  char: 'r',
  description: 'Use only these rules, for example CS-001,SP-003.',
  helpValue: 'ID',
  multiple: true,
  multipleNonGreedy: true,
  delimiter: ',',
});
