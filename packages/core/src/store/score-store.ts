import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson } from '../answer/index.js';
import { BylawError } from '../errors.js';
import type { Severity } from '../rule/index.js';
import { demeritsOf, type RecordedRun, type ScoredRule, scoreOfRun } from '../score/index.js';
import { hashesToBytes, ruleOf, runOf, scopeOf, textColumn } from './score-rows.js';
import { APPLICATION_ID, prepareTables, SCHEMA_VERSION, versionOf } from './score-schema.js';

export type NewRun = Omit<RecordedRun, 'id'>;

export interface RunQuery {
  project: string;
  /** Absent: of all refs. */
  ref?: string;
  /** RFC 3339 or a date, both ends included. */
  from?: string;
  to?: string;
}

/** How much of the history is kept, per project and ref. The last run is always kept. */
export interface Retention {
  days?: number;
  runs?: number;
}

/** The history of scores in one SQLite file, for any number of processes. */
export interface ScoreStore {
  /**
   * Records a run. When this returns the run is on the disk, or was there already: one of the same project, ref and (named) commit with the
   * same result is not recorded twice. A crash in it leaves the history as it was.
   */
  record(run: NewRun, retention?: Retention): { id: string; recorded: boolean };
  /** In the order of time. Counts and scope of a run are read when they are looked at first, so the store must be open then. */
  runs(query: RunQuery): RecordedRun[];
  hasProject(project: string): boolean;
  projects(): string[];
  close(): void;
}

/** Another process has the file for this long at most before we say so. */
const PATIENCE_MS = 5_000;

/**
 * Opens the history, and makes the file where there is none.
 * @param path of the file, or `:memory:`
 * @throws {BylawError} `scores-unusable` for a file that is damaged, of another program, or cannot be read or written
 */
export function openScoreStore(path: string): ScoreStore {
  return storeOn(opened(path, 'write'), path);
}

/**
 * Opens the history for reading; undefined where nothing was recorded yet, which leaves no trace.
 * @throws {BylawError} `scores-unusable`, as above
 */
export function readScoreStore(path: string): ScoreStore | undefined {
  if (guarded(path, () => statSync(path, { throwIfNoEntry: false })) === undefined) return undefined;
  const db = opened(path, 'read');
  if (versionOf(db).tables > 0) return storeOn(db, path);
  db.close();
  return undefined;
}

function storeOn(db: DatabaseSync, path: string): ScoreStore {
  return {
    record: (run, retention = {}) => guarded(path, () => record(db, run, retention)),
    runs: (query) => guarded(path, () => runsOf(db, query, (read) => guarded(path, read))),
    hasProject: (project) => guarded(path, () => db.prepare('SELECT 1 FROM run WHERE project = ? LIMIT 1').get(project) !== undefined),
    projects: () =>
      guarded(path, () =>
        db
          .prepare('SELECT DISTINCT project FROM run ORDER BY project')
          .all()
          .map((row) => textColumn(row.project)),
      ),
    close: () => db.close(),
  };
}

function opened(path: string, mode: 'read' | 'write'): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (mode === 'write' && path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    db = new DatabaseSync(path, { timeout: PATIENCE_MS, readOnly: mode === 'read', enableForeignKeyConstraints: true });
    if (mode === 'write') {
      refuseOthers(db, path);
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      prepareTables(db);
    }
    refuseOthers(db, path);
    return db;
  } catch (error) {
    db?.close();
    throw unusable(path, error);
  }
}

/** @throws {BylawError} for a file with tables that are not ours, or those of a later version */
function refuseOthers(db: DatabaseSync, path: string): void {
  const { application, version, tables } = versionOf(db);
  if (tables === 0) return;
  if (application !== APPLICATION_ID)
    throw new BylawError('scores-unusable', `${path} is not a history of scores.`, { hint: 'Set `scores.path` to a different file.' });
  if (version < 1 || version > SCHEMA_VERSION)
    throw new BylawError('scores-unusable', `The history of scores ${path} was written by a newer version of bylaw.`, {
      hint: 'Use that version, or set `scores.path` to a different file.',
    });
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): unknown {
  if (error instanceof BylawError) return error;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  const why = REASONS[code ?? -1];
  if (why === undefined && !(error instanceof Error && 'code' in error)) return error;
  return new BylawError('scores-unusable', `Cannot use the history of scores ${path}: ${why ?? 'the system refuses access'}.`, {
    cause: error,
  });
}

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html. */
const REASONS: { [code: number]: string } = {
  5: 'another process has locked it for too long',
  6: 'another process has locked it for too long',
  8: 'it is read-only',
  10: 'the disk reports an error',
  11: 'it is damaged; restore it from a backup, or move it to a different folder',
  13: 'the disk is full',
  14: 'it cannot be opened; check its folder and permissions',
  26: 'it is not an SQLite file',
};

function record(db: DatabaseSync, run: NewRun, retention: Retention): { id: string; recorded: boolean } {
  const digest = digestOf(run);
  const id = `run_${digest.slice(0, 20)}`;
  db.exec('BEGIN IMMEDIATE');
  try {
    const known = knownId(db, run, id, digest);
    if (known === undefined) {
      insert(db, { ...run, id }, digest);
      forget(db, run, retention);
    }
    db.exec('COMMIT');
    return { id, recorded: known === undefined };
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Of the result and of what it is the result of; of the time, too, where no commit tells two runs apart. */
function digestOf({ project, ref, commit, recordedAt, catalogueSha, scope, resources, found, unchecked, errors, rules }: NewRun): string {
  const when = commit === '' ? recordedAt : undefined;
  // What is 0 is left out, as versions before had to.
  const gaps = { ...(unchecked > 0 && { unchecked }), ...(errors > 0 && { errors }) };
  const what = { project, ref, commit, when, catalogueSha, scope: scope.sha, resources, found, ...gaps, rules: countsOf(rules) };
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}

function countsOf(rules: readonly ScoredRule[]): unknown[] {
  return rules
    .map(({ rule_id, applicable, failed, waived, unknown = 0 }) => [rule_id, applicable, failed, waived, unknown])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function knownId(db: DatabaseSync, { project, ref, commit }: NewRun, id: string, digest: string): string | undefined {
  const row = db
    .prepare('SELECT id FROM run WHERE id = ? OR (project = ? AND ref = ? AND commit_sha = ? AND commit_sha <> ? AND input_digest = ?)')
    .get(id, project, ref, commit, '', digest);
  return row === undefined ? undefined : textColumn(row.id);
}

function insert(db: DatabaseSync, run: RecordedRun, digest: string): void {
  const score = scoreOfRun(run);
  db.prepare(
    `INSERT INTO run (id, recorded_at, project, ref, commit_sha, source, input_digest, catalogue_version, catalogue_sha, scope_sha, scope_hashes,
      scope_complete, resources, found, unchecked, errors, coverage, score, score_raw, low, high) VALUES (${'?, '.repeat(20)}?)`,
  ).run(
    run.id,
    run.recordedAt,
    run.project,
    run.ref,
    run.commit,
    run.source,
    digest,
    run.catalogueVersion,
    run.catalogueSha,
    run.scope.sha,
    hashesToBytes(run.scope.hashes),
    run.scope.complete ? 1 : 0,
    run.resources,
    run.found,
    run.unchecked,
    run.errors,
    score.coverage,
    score.overall,
    score.score_without_waivers,
    score.low,
    score.high,
  );
  insertCategories(db, run, score.by_category);
  const rule = db.prepare('INSERT INTO run_rule VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { rule_id, category, severity, applicable, failed, waived, unknown = 0 } of run.rules)
    rule.run(run.id, rule_id, category, severity, applicable, failed, waived, unknown);
}

function insertCategories(db: DatabaseSync, run: RecordedRun, scores: { [category: string]: number | null }): void {
  const category = db.prepare('INSERT INTO run_category VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [name, score] of Object.entries(scores)) {
    const failing = run.rules.filter((rule) => rule.category === name && rule.failed > 0);
    const of = (severity: Severity) => failing.filter((rule) => rule.severity === severity).length;
    const demerits = failing.reduce((sum, rule) => sum + demeritsOf(rule), 0);
    category.run(run.id, name, score, demerits, of('CRITICAL'), of('HIGH'), of('MEDIUM'), of('LOW'));
  }
}

/** Runs beyond what is kept, of the project and ref of the run that was just recorded. */
function forget(db: DatabaseSync, { project, ref, recordedAt }: NewRun, { days, runs }: Retention): void {
  if (days !== undefined) {
    const oldest = new Date(Date.parse(recordedAt) - days * 86_400_000).toISOString();
    db.prepare('DELETE FROM run WHERE project = ? AND ref = ? AND recorded_at < ?').run(project, ref, oldest);
  }
  if (runs !== undefined)
    db.prepare(
      `DELETE FROM run WHERE project = ? AND ref = ? AND id NOT IN
        (SELECT id FROM run WHERE project = ? AND ref = ? ORDER BY recorded_at DESC, id DESC LIMIT ?)`,
    ).run(project, ref, project, ref, Math.max(1, runs));
}

/** What is read later goes through `guard`, too. */
function runsOf(db: DatabaseSync, { project, ref, from, to }: RunQuery, guard: <T>(read: () => T) => T): RecordedRun[] {
  // A file of version 1 may be opened for reading only, and is then as it was.
  const gaps = versionOf(db).version === 1 ? '0 AS unchecked, 0 AS errors' : 'unchecked, errors';
  const rows = db
    .prepare(
      `SELECT id, recorded_at, project, ref, commit_sha, source, catalogue_version, catalogue_sha, resources, found, ${gaps} FROM run
        WHERE project = ?1 AND (?2 IS NULL OR ref = ?2) AND (?3 IS NULL OR recorded_at >= ?3) AND (?4 IS NULL OR recorded_at <= ?4)
        ORDER BY recorded_at, id`,
    )
    .all(project, ref ?? null, from ?? null, to === undefined ? null : endOf(to));
  const rules = db.prepare('SELECT * FROM run_rule WHERE run_id = ? ORDER BY rule_id');
  const scope = db.prepare('SELECT scope_sha, scope_hashes, scope_complete FROM run WHERE id = ?');
  return rows.map((row) =>
    runOf(row, {
      rules: (id) => guard(() => rules.all(id).map(ruleOf)),
      scope: (id) => guard(() => scopeOf(scope.get(id) ?? {})),
    }),
  );
}

/** A date means the whole day. */
function endOf(instant: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(instant) ? `${instant}T23:59:59.999Z` : instant;
}
