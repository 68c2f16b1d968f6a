import type { DatabaseSync } from 'node:sqlite';
import { ERASE_ACTION, NO_HASH, PROTECTED_ACTIONS, PROTECTED_TYPES, RECORD_TYPES } from '../../../evidence/index.js';
import { StoreError } from '../../store.js';
import { beginWriting } from './begin.js';

/** "bylw": tells this file from any other SQLite file. */
const APPLICATION_ID = 0x62796c77;
export const SCHEMA_VERSION = 2;
/** Of version 0.1.0. It can be read, and is upgraded before anything is written. */
const OLDEST_VERSION = 1;
export type SchemaVersion = 1 | 2;

/** Types that nearly every record has. The others have an index, so that an export of few of them does not read all records. */
export const COMMON_TYPES = ['proposal', 'verdict'] as const;
export const RARE_TYPE = `type NOT IN (${quoted(COMMON_TYPES)})`;

/**
 * `record` is the chain; `head` says where it stands. All else is beside the chain: what must be found fast (`proposal`,
 * `result`, `approval`), and that an identifier is used up for ever.
 * The triggers hold for every program that writes the file: records follow each other without a hole and by their hashes, and
 * nothing of one changes but that its data is erased. REPLACE, which runs no DELETE trigger, fails at `record_follows`.
 */
const CHAIN = `
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN (${quoted(RECORD_TYPES)})),
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  header TEXT NOT NULL,
  data TEXT,
  salt TEXT,
  sig TEXT NOT NULL,
  CHECK ((data IS NULL) = (salt IS NULL))
) STRICT;
CREATE INDEX record_rare ON record (type, seq) WHERE ${RARE_TYPE};
CREATE TRIGGER record_follows BEFORE INSERT ON record
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), -1) + 1 FROM record)
  OR NEW.prev_hash IS NOT coalesce((SELECT hash FROM record WHERE seq = NEW.seq - 1), '${NO_HASH}')
BEGIN SELECT RAISE(ABORT, 'a record follows the last one'); END;
CREATE TRIGGER record_remains BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
`;

/** Schema 2 takes data only from the record that the last act names: an erasure is recorded first, in the same transaction. */
const NAMED = `
  OR OLD.type IN (${quoted(PROTECTED_TYPES)})
  OR (OLD.type = 'admin_action' AND OLD.data ->> 'action' IN (${quoted(PROTECTED_ACTIONS)}))
  OR NOT EXISTS (
    SELECT 1 FROM record WHERE seq = (SELECT max(seq) FROM record) AND seq > OLD.seq
      AND type = 'admin_action' AND data ->> 'action' IS '${ERASE_ACTION}' AND data -> 'seq' IS CAST(OLD.seq AS TEXT))`;

const recordStays = (version: SchemaVersion) => `
CREATE TRIGGER record_stays BEFORE UPDATE ON record
WHEN NEW.data IS NOT NULL OR NEW.salt IS NOT NULL OR OLD.data IS NULL
  OR NEW.seq IS NOT OLD.seq OR NEW.type IS NOT OLD.type OR NEW.prev_hash IS NOT OLD.prev_hash OR NEW.hash IS NOT OLD.hash
  OR NEW.header IS NOT OLD.header OR NEW.sig IS NOT OLD.sig${version === 1 ? '' : NAMED}
BEGIN SELECT RAISE(ABORT, 'of a record only the data can be erased${version === 1 ? '' : ', right after the act that names it'}'); END;
`;

/** Schema 2 names the last column anew, so that a process of version 0.1.0 which has the file open can write no more. */
const HEAD_KEY = { 1: 'key_id', 2: 'next_key_id' } as const;

const headTable = (version: SchemaVersion) => `
CREATE TABLE head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  time TEXT NOT NULL,
  frontier TEXT NOT NULL,
  ${HEAD_KEY[version]} TEXT NOT NULL
) STRICT;
CREATE TRIGGER head_grows BEFORE UPDATE ON head WHEN NEW.seq < OLD.seq
BEGIN SELECT RAISE(ABORT, 'the head never goes back'); END;
CREATE TRIGGER head_remains BEFORE DELETE ON head
BEGIN SELECT RAISE(ABORT, 'the head is never deleted'); END;
`;

const BESIDE_THE_CHAIN = `
CREATE TABLE proposal (
  id TEXT PRIMARY KEY,
  verdict_seq INTEGER NOT NULL,
  reported_by TEXT NOT NULL,
  class TEXT NOT NULL,
  effective_decision TEXT NOT NULL,
  approval_id TEXT
) STRICT, WITHOUT ROWID;
CREATE TRIGGER proposal_stays BEFORE UPDATE ON proposal
BEGIN SELECT RAISE(ABORT, 'a proposal id is used up for ever'); END;
CREATE TRIGGER proposal_remains BEFORE DELETE ON proposal
BEGIN SELECT RAISE(ABORT, 'a proposal id is used up for ever'); END;

CREATE TABLE result (
  proposal_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  contradicts_verdict INTEGER NOT NULL,
  body_digest TEXT,
  PRIMARY KEY (proposal_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL,
  state TEXT NOT NULL,
  need TEXT NOT NULL,
  shadow INTEGER NOT NULL,
  input_digest TEXT NOT NULL,
  bundle_digest TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  grant_expires_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_by_state ON approval (state, id);
CREATE TABLE approval_event (
  approval_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (approval_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * What schema 2 adds: a proposal has one final result, whatever a program believes. The indexes find the records of an approval and the
 * results of a proposal by what they say, so that no row beside the chain can hide one.
 */
const ADDED_IN_2 = `
CREATE INDEX record_approval ON record (data ->> 'approval_id') WHERE type = 'approval';
CREATE INDEX record_result ON record (data ->> 'proposal_id') WHERE type = 'result';
CREATE TRIGGER result_once BEFORE INSERT ON result
WHEN NEW.status <> 'deferred'
  AND EXISTS (SELECT 1 FROM result WHERE proposal_id = NEW.proposal_id AND status <> 'deferred')
BEGIN SELECT RAISE(ABORT, 'a proposal has one final result'); END;
CREATE TRIGGER result_stays BEFORE UPDATE ON result
WHEN NEW.body_digest IS NOT NULL OR NEW.proposal_id IS NOT OLD.proposal_id OR NEW.seq IS NOT OLD.seq
  OR NEW.status IS NOT OLD.status OR NEW.contradicts_verdict IS NOT OLD.contradicts_verdict
BEGIN SELECT RAISE(ABORT, 'of a result only the digest can be erased'); END;
CREATE TRIGGER result_remains BEFORE DELETE ON result
BEGIN SELECT RAISE(ABORT, 'a result is never deleted'); END;
`;

const SCHEMAS: { readonly [Version in SchemaVersion]: string } = {
  1: CHAIN + recordStays(1) + headTable(1) + BESIDE_THE_CHAIN,
  2: CHAIN + recordStays(2) + headTable(2) + BESIDE_THE_CHAIN + ADDED_IN_2,
};

/** Turns schema 1 into schema 2, in a transaction of the caller. The head row keeps what it says. */
export const UPGRADE_TO_2 = `
CREATE TEMP TABLE head_1 AS SELECT * FROM main.head;
DROP TABLE main.head;
${headTable(2)}
INSERT INTO main.head SELECT * FROM temp.head_1;
DROP TABLE temp.head_1;
DROP TRIGGER record_stays;
${recordStays(2)}
${ADDED_IN_2}
PRAGMA user_version = 2;
`;

/** The name of the column of `head` that says which key signs the next record. */
export function headKeyColumn(db: DatabaseSync): string {
  return HEAD_KEY[schemaVersion(db) === 1 ? 1 : 2];
}

/**
 * Makes the tables in an empty file; in any other, looks that they are those of this version.
 * @param oldest version that the file may have
 * @throws {StoreError} AG-EVD-004 when the file is something else
 */
export function ensureSchema(db: DatabaseSync, oldest: SchemaVersion = SCHEMA_VERSION): void {
  beginWriting(db);
  try {
    if (isEmpty(db)) createSchema(db, SCHEMA_VERSION);
    checkSchema(db, oldest);
    // A file that it may not write SQLite opens for reading, and says so only here.
    db.exec('DELETE FROM meta WHERE false');
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Makes the tables of a version in an empty file. */
export function createSchema(db: DatabaseSync, version: SchemaVersion): void {
  db.exec(`${SCHEMAS[version]}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}`);
}

/**
 * @param oldest version that the file may have
 * @throws {StoreError} AG-EVD-004 when the file is not a store, or of a version that this program does not know
 */
export function checkSchema(db: DatabaseSync, oldest: SchemaVersion = OLDEST_VERSION): void {
  if (readPragma(db, 'application_id') !== APPLICATION_ID)
    throw new StoreError('AG-EVD-004', 'The file is not an evidence store: it is empty, or a different program created it.');
  const version = schemaVersion(db);
  if (version < OLDEST_VERSION || version > SCHEMA_VERSION)
    throw new StoreError(
      'AG-EVD-004',
      `The store has schema version ${version}; this program supports versions ${OLDEST_VERSION} to ${SCHEMA_VERSION}.`,
    );
  if (version < oldest)
    throw new StoreError('AG-EVD-004', `The store has schema version ${version} and must be upgraded before it is written.`);
}

export function schemaVersion(db: DatabaseSync): number {
  return readPragma(db, 'user_version');
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined && readPragma(db, 'application_id') === 0;
}

function readPragma(db: DatabaseSync, pragma: string): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
