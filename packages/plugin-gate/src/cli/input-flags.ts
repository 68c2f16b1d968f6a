import { Args, Flags } from '@oclif/core';

/** Flags that several commands of the gate share. */

export { config, json } from '@bylaw/core/command/flags';

/** What `check` and `policy explain` judge, and by what. */
export const judging = {
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
