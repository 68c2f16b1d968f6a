import { Args, Flags } from '@oclif/core';
import { config, json } from './input-flags.js';

export const approvalId = Args.string({ name: 'ID', description: 'Id of the approval.', required: true });

/** Flags of the commands that decide on an approval. */
export const deciding = {
  reason: Flags.string({ description: 'Why, for the record.', helpValue: 'TEXT' }),
  as: Flags.string({ description: 'Approver, as the configuration names them. [default: the user of the system]', helpValue: 'ID' }),
  key: Flags.string({
    description: 'File of their private key. Without one the decision is unsigned, which approvals.allow_unsigned must allow.',
    helpValue: 'FILE',
  }),
  config,
  json,
};
