import { type EvaluationFlags, evaluationFromFlags, inputsAt, type RenderingFlags, renderingOf } from '@bylaw/core/command/evaluation';
import { callEndpoint, filtersBody, inputBody, remoteServerOf } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import { recordScores } from './endpoints.js';
import { scoresPath } from './open.js';
import { boundOf, LONGEST_NAME } from './query.js';
import { type RecordedScore, recordRun } from './record-run.js';

export interface RecordFlags extends EvaluationFlags, RenderingFlags {
  project: string;
  ref?: string | undefined;
  commit?: string | undefined;
  at?: string | undefined;
  rules?: string[] | undefined;
}

/**
 * Evaluates what the paths hold, and adds the result to the history: here, or on a server, which evaluates the files itself.
 * @throws {BylawError} `usage` for names and times that cannot be recorded; as `recordRun`; as `callEndpoint`
 */
export async function recordScore(paths: readonly string[], flags: RecordFlags, installation: Installation): Promise<RecordedScore> {
  const { loaded, clock, version } = installation;
  const server = remoteServerOf(installation, flags);
  refuseNames(flags);
  boundOf(flags.at, '--at');
  const read = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  const request = { ...(await evaluationFromFlags(flags, loaded, read.inputs)), ...read };
  const { project, ref, commit, at } = flags;
  const run = { project, ...(ref && { ref }), ...(commit && { commit }), ...(at !== undefined && { at }) };
  if (server) return callEndpoint(server, recordScores, { ...run, ...(await inputBody(request)), ...filtersBody(request) });
  const { config, dataDir } = loaded;
  const history = { path: scoresPath(config, dataDir), keep: config.scores };
  return recordRun(request, run, { catalogue: await installation.catalogue(), clock, version, history });
}

/** An empty branch or commit is that of a variable which is not set, and none. */
function refuseNames({ project, ref = '', commit = '' }: RecordFlags): void {
  const [long] = Object.entries({ project, ref, commit }).flatMap(([flag, value]) => (value.length > LONGEST_NAME ? [flag] : []));
  if (project !== '' && long === undefined) return;
  const message = long === undefined ? '--project must not be empty.' : `--${long} must have at most ${LONGEST_NAME} characters.`;
  throw new BylawError('usage', message, { hint: 'Use a different name.' });
}
