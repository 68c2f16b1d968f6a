import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plural } from '@bylaw/core/plural';
import { newestCheckpoint, rootOfFrontier } from '../../../evidence/index.js';
import type { ApproverGroups } from '../../store-options.js';
import { type FaultFinding, type FaultSurvey, faultSurvey } from '../../verify/fault-survey.js';
import { beginWalk, type Walk, walkOn } from '../../verify/walk.js';
import { openReading } from '../file/connection.js';
import { failureOf } from '../file/failure.js';
import { headReader, type StoredHead } from '../file/head.js';
import { remoteFileSystem } from '../file/local-disk.js';
import { createSchema, SCHEMA_VERSION } from '../file/schema.js';
import { readPart } from '../reads/range.js';
import { mustBeUpgraded } from '../upgrade/upgrade.js';
import { tableFaults } from './inspect-tables.js';

/** One thing that was looked at. */
export interface Check {
  name:
    | 'files'
    | 'disk'
    | 'database'
    | 'schema'
    | 'chain'
    | 'head'
    | FaultFinding['name']
    | 'proposals'
    | 'outbox'
    | 'results'
    | 'approvals'
    | 'tables'
    | 'checkpoint';
  ok: boolean;
  /** What was found, one sentence. */
  message: string;
  /** Each fault; empty when all is well. */
  faults: string[];
}

export interface InspectOptions {
  path: string;
  /** Absent: there are no checkpoints to compare with. */
  checkpointDir: string | undefined;
  /** Leaves signatures out, which take most of the time. */
  fast: boolean;
  /** See `StoreOptions`. */
  approvers?: readonly ApproverGroups[] | undefined;
}

/**
 * Looks at the whole store, and changes nothing. It reads one snapshot, so a server may go on writing.
 * @throws {StoreError} when the store cannot be opened
 */
export async function inspectStore({ path, checkpointDir, fast, approvers }: InspectOptions): Promise<Check[]> {
  const db = openReading(path);
  try {
    db.exec('BEGIN');
    const checkpoint = await readCheckpoint(checkpointDir);
    const files = [filesCheck(path), diskCheck(path), databaseCheck(db), schemaCheck(db)];
    const survey = faultSurvey();
    const { walk, rootThere } = walkWhole(db, fast, checkpoint.size, survey);
    return [
      ...files,
      chainCheck(walk, fast),
      headCheck(db, walk),
      ...survey.findings().map(({ name, faults, message }) => check(name, faults, message)),
      proposalsCheck(db, walk),
      resultsCheck(db),
      tablesCheck(db, approvers),
      ...(checkpointDir === undefined ? [] : [checkpointCheck(checkpoint, walk, rootThere)]),
    ];
  } finally {
    db.close();
  }
}

export function check(name: Check['name'], faults: string[], message: string): Check {
  return { name, ok: faults.length === 0, message: faults.length === 0 ? message : (faults[0] ?? message), faults };
}

function filesCheck(path: string): Check {
  const open = (file: string, most: number) => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    return mode !== undefined && (mode & 0o777 & ~most) !== 0
      ? [`${file} has mode ${(mode & 0o777).toString(8)}; the mode must be ${most.toString(8)} or stricter`]
      : [];
  };
  const faults =
    process.platform === 'win32'
      ? []
      : [...[path, `${path}-wal`, `${path}-shm`].flatMap((file) => open(file, 0o600)), ...open(dirname(path), 0o755)];
  return check('files', faults, 'Only the owner can read and write the files.');
}

/** Less than this, and the next day may find the disk full. */
const LITTLE_ROOM = 256 * 1024 * 1024;

function diskCheck(path: string): Check {
  const { type, bavail, bsize } = statfsSync(dirname(path));
  const remote = process.platform === 'linux' ? remoteFileSystem(type) : undefined;
  const room = bavail * bsize;
  const faults = [
    ...(remote === undefined ? [] : [`the store is on ${remote}; it must be on a local disk`]),
    ...(room < LITTLE_ROOM ? [`the disk has only ${Math.floor(room / 1024 / 1024)} MiB of free space`] : []),
  ];
  return check('disk', faults, `The disk is local and has ${Math.floor(room / 1024 / 1024)} MiB of free space.`);
}

function databaseCheck(db: DatabaseSync): Check {
  try {
    const rows = db.prepare('PRAGMA integrity_check(20)').all();
    const faults = rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok');
    return check('database', faults, 'The pages and indexes of the database are intact.');
  } catch (error) {
    return check('database', [failureOf(error).message], '');
  }
}

/** Tables, indexes and triggers must be those that the version of the schema has, word for word. */
function schemaCheck(db: DatabaseSync): Check {
  const old = mustBeUpgraded(db);
  const expected = new DatabaseSync(':memory:');
  createSchema(expected, old ? 1 : SCHEMA_VERSION);
  const faults = [...schemaOf(expected)].flatMap(([name, sql]) => {
    const found = schemaOf(db).get(name);
    if (found === undefined) return [`${name} is missing`];
    return found === sql ? [] : [`${name} was changed`];
  });
  expected.close();
  const version = old
    ? ' An earlier version wrote the store: the next start of the server or of a command that records something upgrades it.'
    : '';
  return check('schema', faults, `All tables and triggers are present and unchanged.${version}`);
}

function schemaOf(db: DatabaseSync): Map<string, string> {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]));
}

function walkWhole(
  db: DatabaseSync,
  fast: boolean,
  checkpointSize: number | undefined,
  survey: FaultSurvey,
): { walk: Walk; rootThere: string | undefined } {
  const walk = beginWalk();
  let rootThere: string | undefined;
  try {
    for (let from: number | undefined = 0; from !== undefined; ) {
      const part = readPart(db, { from, to: Number.MAX_SAFE_INTEGER });
      for (const record of part.records) {
        walkOn(walk, record, { signatures: !fast });
        survey.next(record);
        if (walk.size === checkpointSize) rootThere = rootOfFrontier(walk.frontier);
      }
      from = part.records.length === 0 ? undefined : part.next;
    }
  } catch (error) {
    walk.faults.push(`after record ${walk.size - 1}: ${failureOf(error).message}`);
  }
  return { walk, rootThere };
}

function chainCheck({ size, faults }: Walk, fast: boolean): Check {
  const what = fast ? 'numbers, links and hashes' : 'numbers, links, hashes and signatures';
  return check('chain', faults, `${plural(size, 'record')}: ${what} are correct${fast ? ' (signatures were skipped)' : ''}.`);
}

function headCheck(db: DatabaseSync, walk: Walk): Check {
  const head = headReader(db)();
  const whole = head === undefined ? 'The chain has not started.' : `The head is record ${head.seq}, and its tree matches the records.`;
  return check('head', headFaults(head, walk), whole);
}

/** Compares a head with a walk to its record. */
export function headFaults(head: StoredHead | undefined, walk: Walk): string[] {
  if (head === undefined) return walk.size === 0 ? [] : ['there are records but no head'];
  return [
    ...(head.seq + 1 === walk.size && head.hash === walk.hash
      ? []
      : [`the head is at record ${head.seq}, but the last record is ${walk.size - 1}`]),
    ...(head.frontier.join() === walk.frontier.join() ? [] : ['the tree of the head does not match the records']),
    ...(head.keyId === walk.key?.id ? [] : ['the head names a different key than the records']),
  ];
}

function proposalsCheck(db: DatabaseSync, walk: Walk): Check {
  return check('proposals', idFaults(db, walk), `All used identifiers (${walk.verdicts}) have a verdict.`);
}

/**
 * Compares the table of used identifiers with a walk.
 * @param before identifiers count that were used in records before this one: what was decided since the walk began does not
 */
export function idFaults(db: DatabaseSync, { verdicts }: Walk, before = Number.MAX_SAFE_INTEGER): string[] {
  const used = Number(db.prepare('SELECT count(*) AS used FROM proposal WHERE verdict_seq < ?').get(before)?.used);
  const astray = Number(
    db
      .prepare("SELECT count(*) AS astray FROM proposal LEFT JOIN record ON record.seq = verdict_seq WHERE record.type IS NOT 'verdict'")
      .get()?.astray,
  );
  return [
    ...(used === verdicts ? [] : [`the store has ${plural(used, 'used identifier')}, but ${plural(verdicts, 'verdict')}`]),
    ...(astray === 0 ? [] : [`${plural(astray, 'used identifier has', 'used identifiers have')} no verdict`]),
  ];
}

function tablesCheck(db: DatabaseSync, approvers: InspectOptions['approvers']): Check {
  const genesis = readPart(db, { from: 0, to: 0 }).records[0]?.data ?? '{}';
  try {
    const faults = tableFaults(db, String(JSON.parse(genesis).chain_id), approvers);
    return check('tables', faults, 'All decisions, results, and approvals in the tables match their records.');
  } catch (error) {
    return check('tables', [failureOf(error).message], '');
  }
}

/** A result that is missing here would let a proposal have a second final one. */
function resultsCheck(db: DatabaseSync): Check {
  const count = (sql: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${sql}`).get()?.count);
  try {
    const rows = count('result');
    const records = count("record WHERE type = 'result'");
    const astray = count(`result LEFT JOIN record ON record.seq = result.seq
      WHERE record.type IS NOT 'result' OR (data IS NOT NULL AND (data ->> 'proposal_id', data ->> 'status') IS NOT (result.proposal_id, result.status))`);
    const faults = [
      ...(rows === records ? [] : [`the store has ${plural(rows, 'result')}, but ${plural(records, 'record')} of results`]),
      ...(astray === 0
        ? []
        : [`${plural(astray, 'result does', 'results do')} not match ${astray === 1 ? 'its record' : 'their records'}`]),
    ];
    return check('results', faults, `All results (${rows}) match their records.`);
  } catch (error) {
    return check('results', [failureOf(error).message], '');
  }
}

interface Compared {
  size: number | undefined;
  root: string | undefined;
  fault: string | undefined;
}

export async function readCheckpoint(dir: string | undefined): Promise<Compared> {
  try {
    const checkpoint = dir === undefined ? undefined : (await newestCheckpoint(dir))?.checkpoint;
    return { size: checkpoint?.size, root: checkpoint?.root, fault: undefined };
  } catch {
    return { size: undefined, root: undefined, fault: 'the newest checkpoint cannot be read' };
  }
}

export function checkpointCheck({ size, root, fault }: Compared, walk: Walk, rootThere: string | undefined): Check {
  if (fault !== undefined) return check('checkpoint', [fault], '');
  if (size === undefined) return check('checkpoint', [], 'There is no checkpoint to compare with.');
  if (size > walk.size)
    return check(
      'checkpoint',
      [`the newest checkpoint covers ${plural(size, 'record')}, but the chain has ${walk.size}: records are missing`],
      '',
    );
  const faults = rootThere === root ? [] : [`the newest checkpoint does not match the first ${plural(size, 'record')}`];
  return check('checkpoint', faults, `The newest checkpoint matches the first ${plural(size, 'record')}.`);
}
