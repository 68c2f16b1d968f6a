import type { DatabaseSync } from 'node:sqlite';

/** "bysc": tells this file from any other SQLite file. */
export const APPLICATION_ID = 0x62797363;
export const SCHEMA_VERSION = 2;

/**
 * Counts per rule, not scores alone: every old score can be computed again on other rules or by another formula. A run of a named commit
 * with the same result is the same run.
 */
const SCHEMA = `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  recorded_at TEXT NOT NULL,
  project TEXT NOT NULL,
  ref TEXT NOT NULL,
  commit_sha TEXT NOT NULL,
  source TEXT NOT NULL,
  input_digest TEXT NOT NULL,
  catalogue_version TEXT NOT NULL,
  catalogue_sha TEXT NOT NULL,
  scope_sha TEXT NOT NULL,
  scope_hashes BLOB NOT NULL,
  scope_complete INTEGER NOT NULL,
  resources INTEGER NOT NULL,
  found INTEGER NOT NULL,
  unchecked INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  coverage REAL NOT NULL,
  score REAL,
  score_raw REAL,
  low REAL,
  high REAL
) STRICT;
CREATE INDEX run_time ON run (project, ref, recorded_at);
CREATE UNIQUE INDEX run_once ON run (project, ref, commit_sha, input_digest) WHERE commit_sha <> '';
CREATE TABLE run_category (
  run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  category TEXT NOT NULL,
  score REAL,
  demerits REAL NOT NULL,
  critical INTEGER NOT NULL,
  high INTEGER NOT NULL,
  medium INTEGER NOT NULL,
  low_n INTEGER NOT NULL,
  PRIMARY KEY (run_id, category)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_rule (
  run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  rule_id TEXT NOT NULL,
  category TEXT NOT NULL,
  severity TEXT NOT NULL,
  evaluated INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  waived INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  PRIMARY KEY (run_id, rule_id)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** From version 1: nothing is known of what its runs left unchecked, and their errors show in what they found and did not read. */
const FROM_VERSION_1 = `
ALTER TABLE run ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN errors INTEGER NOT NULL DEFAULT 0;
PRAGMA user_version = 2;
`;

/** Makes the tables of a new file, and brings those of an earlier version up to date. Two processes that do it at once do it once. */
export function prepareTables(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    const { tables, version } = versionOf(db);
    if (tables === 0) db.exec(SCHEMA);
    else if (version === 1) db.exec(FROM_VERSION_1);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

export function versionOf(db: DatabaseSync): { application: number; version: number; tables: number } {
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
  return {
    application: number('PRAGMA application_id'),
    version: number('PRAGMA user_version'),
    tables: number('SELECT count(*) FROM sqlite_schema'),
  };
}
