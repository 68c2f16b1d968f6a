import { config, json } from '@bylaw/core/command/flags';
import { Args, Flags } from '@oclif/core';

/** Flags that several commands of the gate share. */

export { config, json };

/** Of the commands that work on the store. */
export const dev = Flags.boolean({ description: 'Use the store of `bylaw serve --dev`.' });

/** What `check` and `policy explain` evaluate, and by what. */
export const checking = {
  dev: Flags.boolean({ description: 'Use the bundle of `bylaw serve --dev`, unless one is configured.' }),
  budget: Flags.string({ description: 'File with a budget (JSON).', helpValue: 'FILE' }),
  mandate: Flags.string({ description: 'File with a mandate (JSON).', helpValue: 'FILE' }),
  bundle: Flags.string({
    description: 'Policy bundle: a folder or a tar archive. [default: `policy.bundle` of the configuration]',
    helpValue: 'PATH',
  }),
  at: Flags.string({
    description: 'Evaluation time if the proposal does not set one, such as 2026-01-02T03:04:05.678Z. [default: now]',
    helpValue: 'TIME',
  }),
};

export const proposalFile = Args.string({
  name: 'FILE',
  description: 'File with a proposal or an envelope (JSON), or - for standard input.',
  required: true,
});

export const bundleFolder = Args.string({
  name: 'DIR',
  description: 'Policy bundle: a folder or a tar archive. [default: `policy.bundle` of the configuration]',
});

/** What the commands about adapters share. */

export const adapterId = Args.string({ name: 'ID', description: 'Identifier of the adapter.', required: true });

export const secretOut = Flags.integer({
  description: 'Write the secret to this open file descriptor instead of standard output.',
  helpValue: 'FD',
  min: 1,
  max: 63,
});

/** Flag of the commands that work on the database, often as another role than the servers. */
export const dsnEnv = Flags.string({
  description: 'Environment variable that holds the connection string. [default: `store.dsn_env` of the configuration]',
  helpValue: 'NAME',
});

/** What the commands about evidence and keys share. */

export const recordSeq = Args.integer({ name: 'SEQ', description: 'Number of the record.', required: true, min: 0 });

export const reason = Flags.string({ description: 'Reason to record.', helpValue: 'TEXT', required: true });

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
