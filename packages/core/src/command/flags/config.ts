import { Flags } from '@oclif/core';

export const config = Flags.string({
  description:
    'Configuration file. [default: SVC_CONFIG, or the nearest bylaw.yaml in this folder or a parent folder inside the Git repository]',
  helpValue: 'FILE',
});
