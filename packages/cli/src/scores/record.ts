import { inputsAt, type JudgingFlags, judgingOf, type RenderingFlags, renderingOf } from '@bylaw/core/command/judging';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import { scoresPath } from './path.js';
import { boundOf, LONGEST_NAME } from './query.js';
import { type RecordedScore, recordRun } from './record-run.js';

export interface RecordFlags extends JudgingFlags, RenderingFlags {
  project: string;
  ref?: string | undefined;
  commit?: string | undefined;
  at?: string | undefined;
}

/**
 * Evaluates what the paths hold, and adds the result to the history.
 * @throws {BylawError} `usage` together with a server; as `recordRun`
 */
export async function recordScore(paths: readonly string[], flags: RecordFlags, installation: Installation): Promise<RecordedScore> {
  const { loaded, clock, version } = installation;
  if (loaded.remote.url !== undefined)
    throw new BylawError('usage', '`bylaw scores record` cannot be used together with a remote server.', { hint: 'Unset SVC_API_URL.' });
  refuseNames(flags);
  boundOf(flags.at, '--at');
  const read = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  const request = { ...(await judgingOf(flags, loaded, read.inputs)), ...read };
  const { config, dataDir } = loaded;
  const history = { path: scoresPath(config, dataDir), keep: config.scores };
  return recordRun(request, flags, { catalogue: await installation.catalogue(), clock, version, history });
}

/** An empty branch or commit is that of a variable which is not set, and none. */
function refuseNames({ project, ref = '', commit = '' }: RecordFlags): void {
  const [long] = Object.entries({ project, ref, commit }).flatMap(([flag, value]) => (value.length > LONGEST_NAME ? [flag] : []));
  if (project !== '' && long === undefined) return;
  const message = long === undefined ? '--project must not be empty.' : `--${long} must have at most ${LONGEST_NAME} characters.`;
  throw new BylawError('usage', message, { hint: 'Use a different name.' });
}
