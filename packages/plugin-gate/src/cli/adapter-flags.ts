import { Args, Flags } from '@oclif/core';

/** What the commands about adapters share. */

export const adapterId = Args.string({ name: 'ID', description: 'Identifier of the adapter.', required: true });

export const secretOut = Flags.integer({
  description: 'Write the secret to this open file descriptor instead of standard output.',
  helpValue: 'FD',
  min: 1,
  max: 63,
});
