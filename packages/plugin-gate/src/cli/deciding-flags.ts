import { Args, Flags } from '@oclif/core';
import { config, dev, json } from './input-flags.js';

export const approvalId = Args.string({ name: 'ID', description: 'ID of the approval.', required: true });

/** Flags of the commands that decide on an approval. */
export const deciding = {
  reason: Flags.string({ description: 'Reason to record.', helpValue: 'TEXT' }),
  as: Flags.string({ description: 'ID of the approver in the configuration. [default: the current system user]', helpValue: 'ID' }),
  key: Flags.string({
    description:
      'File with the private key of the approver. Without a key the decision is unsigned, which approvals.allow_unsigned must allow.',
    helpValue: 'FILE',
  }),
  dev,
  config,
  json,
};
