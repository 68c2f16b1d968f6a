import { Flags } from '@oclif/core';

export const rules = Flags.string({
  description: 'Folder of custom rules to use in addition to the installed rules. Can be repeated.',
  helpValue: 'DIR',
  multiple: true,
  multipleNonGreedy: true,
});
