import { createHash } from 'node:crypto';
import type { Clock } from '@bylaw/core/clock';
import { BylawError } from '@bylaw/core/errors';
import { createEngine, type EvaluationRequest } from '@bylaw/core/evaluate';
import type { Note } from '@bylaw/core/note';
import type { Catalogue, Rule } from '@bylaw/core/rule';
import { isIncomplete, type Score, scopeSketch, scoredRules, type Tally, uncheckedOf } from '@bylaw/core/score';
import { openScoreStore, type ScoreStore } from '@bylaw/core/store';
import { boundOf } from './query.js';

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

/** Which run it is. */
export interface RunNames {
  project: string;
  ref?: string | undefined;
  commit?: string | undefined;
  /** Time of the run: a day, or RFC 3339; absent: now. */
  at?: string | undefined;
}

/** Where runs are kept, and for how long. */
export interface History {
  path: string;
  keep: { keep_days?: number; keep_runs?: number };
}

interface Recording {
  catalogue: Catalogue;
  clock: Clock;
  /** Of the rules. */
  version: string;
  history: History;
}

/**
 * Evaluates, and adds the result to the history.
 * @throws {BylawError} `usage` for a wrong time; `nothing-evaluated`; what the store throws
 */
export async function recordRun(
  request: EvaluationRequest,
  { project, ref = '', commit = '', at }: RunNames,
  { catalogue, clock, version, history }: Recording,
): Promise<RecordedScore> {
  const recordedAt = instantOf(at) ?? clock.now().toISOString();
  const engine = createEngine({ catalogue, clock });
  const rules = engine.select(request.filter);
  const counted: { tally?: Tally; identities: readonly string[] } = { identities: [] };
  const onCounted = (tally: Tally, identities: readonly string[]) => Object.assign(counted, { tally, identities });
  for await (const event of engine.evaluate({ ...request, onCounted })) {
    if (event.type !== 'end') continue;
    const { tally } = counted;
    if (!tally || tally.resources === 0) throw nothingEvaluated(event.errors[0]?.message);
    const run = {
      recordedAt,
      project,
      ref,
      commit,
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
    const { id, recorded } = record(history, run);
    return {
      run_id: id,
      recorded,
      project,
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

function instantOf(at: string | undefined): string | undefined {
  const bound = boundOf(at, '`at`');
  return bound?.length === 10 ? `${bound}T00:00:00.000Z` : bound;
}

function record({ path, keep }: History, run: Parameters<ScoreStore['record']>[0]): ReturnType<ScoreStore['record']> {
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

function nothingEvaluated(why: string | undefined): BylawError {
  return new BylawError(
    'nothing-evaluated',
    `Nothing was evaluated, so there is no score to record.${why === undefined ? '' : ` ${why}`}`,
    {
      hint: 'Pass the files or folders that contain the manifests.',
    },
  );
}
