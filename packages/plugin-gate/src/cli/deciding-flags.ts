import { Flags } from '@oclif/core';
import { config, json } from './input-flags.js';

/** Flags of the commands that decide on an approval. */
export const deciding = {
  as: Flags.string({ description: 'Approver, as the configuration names them. [default: the user of the system]', helpValue: 'ID' }),
  key: Flags.string({
    description: 'File of their private key. Without one the decision is unsigned, which approvals.allow_unsigned must allow.',
    helpValue: 'FILE',
  }),
  config,
  json,
};
