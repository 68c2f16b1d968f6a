import { Args, Flags } from '@oclif/core';

/** Flags that several commands of the gate share. */

export { config, json } from '@bylaw/core/command/flags';

/** Of the commands that work on the store. */
export const dev = Flags.boolean({ description: 'Use the store of `bylaw serve --dev`.' });

/** What `check` and `policy explain` evaluate, and by what. */
export const judging = {
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
