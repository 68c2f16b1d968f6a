import { createHash } from 'node:crypto';
import { inputsAt, type JudgingFlags, judgingOf, type RenderingFlags, renderingOf } from '@bylaw/core/command/judging';
import { BylawError } from '@bylaw/core/errors';
import { createEngine } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import type { Note } from '@bylaw/core/note';
import { readersOf } from '@bylaw/core/plugin';
import type { Rule } from '@bylaw/core/rule';
import { isIncomplete, type Score, scopeSketch, scoredRules, type Tally, uncheckedOf } from '@bylaw/core/score';
import { openScoreStore } from '@bylaw/core/store';
import { scoresPath } from './path.js';
import { boundOf, LONGEST_NAME } from './query.js';

export interface RecordFlags extends JudgingFlags, RenderingFlags {
  project: string;
  ref?: string | undefined;
  commit?: string | undefined;
  at?: string | undefined;
}

/** What `scores record` prints as JSON. */
export interface RecordedScore {
  run_id: string;
  /** False where the run was there already. */
  recorded: boolean;
  project: string;
  ref: string | null;
  commit: string | null;
  recorded_at: string;
  resources: number;
  /** Those of `resources` whose kind no selected rule covers. */
  unchecked: number;
  score: Score;
  /** Parts of the input that could not be read or evaluated. */
  errors: number;
  /** Whether the run is left out of trends because a part of the input was not read. */
  incomplete: boolean;
  /** Checks that could not be decided; only if there are any. They lower `score.low` only. */
  undecided?: number;
  /** What was left out without an error. */
  notes: Note[];
}

/**
 * Evaluates what stands under the paths, and adds the result to the history.
 * @throws {BylawError} `usage` where nothing was judged, or together with a server; what the store throws
 */
export async function recordScore(paths: readonly string[], flags: RecordFlags, installation: Installation): Promise<RecordedScore> {
  const { loaded, clock, version } = installation;
  if (loaded.remote.url !== undefined)
    throw new BylawError('usage', '`bylaw scores record` cannot be used together with a remote server.', { hint: 'Unset SVC_API_URL.' });
  refuseNames(flags);
  const recordedAt = instantOf(flags.at) ?? clock.now().toISOString();
  const catalogue = await installation.catalogue();
  const engine = createEngine({ catalogue, clock });
  const read = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  const judging = await judgingOf(flags, loaded, read.inputs);
  const rules = engine.select(judging.filter);
  const counted: { tally?: Tally; identities: readonly string[] } = { identities: [] };
  const onCounted = (tally: Tally, identities: readonly string[]) => Object.assign(counted, { tally, identities });
  for await (const event of engine.evaluate({ ...judging, ...read, onCounted })) {
    if (event.type !== 'end') continue;
    const { tally } = counted;
    if (!tally || tally.resources === 0) throw nothingJudged(event.errors[0]?.message);
    const run = {
      recordedAt,
      project: flags.project,
      ref: flags.ref ?? '',
      commit: flags.commit ?? '',
      source: 'files',
      catalogueVersion: version,
      catalogueSha: catalogueDigest(rules),
      scope: scopeSketch(counted.identities),
      resources: tally.resources,
      found: tally.found,
      unchecked: uncheckedOf(tally),
      errors: event.summary.errors,
      rules: scoredRules(tally, rules),
    };
    const { id, recorded } = record(scoresPath(loaded.config, loaded.dataDir), run, loaded.config.scores);
    const { ref, commit } = run;
    return {
      run_id: id,
      recorded,
      project: run.project,
      ref: ref || null,
      commit: commit || null,
      recorded_at: recordedAt,
      resources: run.resources,
      unchecked: run.unchecked,
      score: event.score,
      errors: run.errors,
      incomplete: isIncomplete(run),
      ...(event.summary.undecided && { undecided: event.summary.undecided.checks }),
      notes: event.notes,
    };
  }
  throw new BylawError('internal', 'The evaluation stopped before it was complete.');
}

/** An empty branch or commit is that of a variable which is not set, and none. */
function refuseNames({ project, ref = '', commit = '' }: RecordFlags): void {
  const [long] = Object.entries({ project, ref, commit }).flatMap(([flag, value]) => (value.length > LONGEST_NAME ? [flag] : []));
  if (project !== '' && long === undefined) return;
  const message = long === undefined ? '--project must not be empty.' : `--${long} must have at most ${LONGEST_NAME} characters.`;
  throw new BylawError('usage', message, { hint: 'Use a different name.' });
}

function instantOf(at: string | undefined): string | undefined {
  const bound = boundOf(at, '--at');
  return bound?.length === 10 ? `${bound}T00:00:00.000Z` : bound;
}

function record(
  path: string,
  run: Parameters<ReturnType<typeof openScoreStore>['record']>[0],
  keep: { keep_days?: number; keep_runs?: number },
) {
  const store = openScoreStore(path);
  try {
    return store.record(run, {
      ...(keep.keep_days !== undefined && { days: keep.keep_days }),
      ...(keep.keep_runs !== undefined && { runs: keep.keep_runs }),
    });
  } finally {
    store.close();
  }
}

/** Of the rules that were selected, and of what each of them weighs. */
function catalogueDigest(rules: readonly Rule[]): string {
  const lines = rules.map(({ id, severity, logic }) => `${id} ${severity} ${JSON.stringify(logic)}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

function nothingJudged(why: string | undefined): BylawError {
  return new BylawError('usage', `Nothing was evaluated, so there is no score to record.${why === undefined ? '' : ` ${why}`}`, {
    hint: 'Pass the files or folders that contain the manifests.',
  });
}
