import { config, json, remote } from '@bylaw/core/command/flags';
import { Flags } from '@oclif/core';
import type { RunsQuery } from './query.js';

/** Which runs of the history. */
export const runsFlags = {
  project: Flags.string({ description: 'Name of the project.', helpValue: 'NAME', required: true }),
  ref: Flags.string({ description: 'Only runs of this branch or environment.', helpValue: 'NAME' }),
  category: Flags.string({
    char: 'c',
    description: 'Show only these categories.',
    helpValue: 'CODE',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  from: Flags.string({ description: 'First day or time to include, for example 2026-01-31.', helpValue: 'DATE' }),
  to: Flags.string({ description: 'Last day or time to include.', helpValue: 'DATE' }),
  bucket: Flags.option({
    description: 'Keep only the last run of each day, week or month.',
    options: ['run', 'day', 'week', 'month'] as const,
    default: 'run' as const,
  })(),
  'like-for-like': Flags.boolean({ description: 'Compute all scores from the rules that every run used.' }),
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

/** The flags as the query of the REST route and the tool. */
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
