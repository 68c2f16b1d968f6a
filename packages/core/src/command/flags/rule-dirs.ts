import { Flags } from '@oclif/core';

export const rules = Flags.string({
  description: 'Folder of custom rules to use beside the installed ones. May be given more than once.',
  helpValue: 'DIR',
  multiple: true,
  multipleNonGreedy: true,
});
