import { config, json, remote } from '@bylaw/core/command/flags';
import { Flags } from '@oclif/core';
import type { RunsQuery } from './query.js';

/** Which runs of the history. */
export const runsFlags = {
  project: Flags.string({ description: 'The project.', helpValue: 'NAME', required: true }),
  ref: Flags.string({ description: 'Only runs of this branch or environment.', helpValue: 'NAME' }),
  category: Flags.string({
    char: 'c',
    description: 'Show these categories only.',
    helpValue: 'CODE',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  from: Flags.string({ description: 'First day or instant, such as 2026-01-31.', helpValue: 'DATE' }),
  to: Flags.string({ description: 'Last day or instant.', helpValue: 'DATE' }),
  bucket: Flags.option({
    description: 'Keep the last run of each day, week or month only.',
    options: ['run', 'day', 'week', 'month'] as const,
    default: 'run' as const,
  })(),
  'like-for-like': Flags.boolean({ description: 'Compute all scores on the rules that every run had.' }),
  config,
  remote,
  json,
};

interface RunsFlags {
  project: string;
  ref?: string | undefined;
  category?: string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  bucket: 'run' | 'day' | 'week' | 'month';
  'like-for-like': boolean;
}

/** The flags as the query that the other doors take. */
export function runsQuery({ project, ref, category, from, to, bucket, 'like-for-like': like_for_like }: RunsFlags): RunsQuery {
  return {
    project,
    bucket,
    like_for_like,
    ...(ref !== undefined && { ref }),
    ...(category && { category }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
