import { Flags } from '@oclif/core';

export const config = Flags.string({
  description: 'Configuration file; otherwise SVC_CONFIG, or the nearest bylaw.yaml in this folder or above it, inside the Git repository.',
  helpValue: 'FILE',
});
