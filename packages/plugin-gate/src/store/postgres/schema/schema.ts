import { type ClientBase, DatabaseError } from 'pg';
import { RECORD_TYPES } from '../../../evidence/index.js';
import { StoreError } from '../../store.js';
import { LOCK_CLASS, MIGRATION_LOCK, SCHEMA } from '../database/names.js';
import { ADDITIONS, MARK } from './additions.js';

export * from '../database/names.js';

/** Types that nearly every record has. The others have an index, so that an export of few of them does not read all records. */
const COMMON_TYPES = ['proposal', 'verdict'] as const;

/**
 * `evidence` is the chain, `head` says where it stands. `outbox` holds what was accepted, until it is numbered; `proposal_ids`
 * says that an identifier is used up for ever. `replica` counts what each replica has accepted. All else is beside the chain.
 * The triggers hold for every program and role: of a record only the data can be erased, and nothing of a chain goes away.
 */
export const FIRST = `
CREATE TABLE ${SCHEMA}.head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  chain_id text NOT NULL,
  seq bigint NOT NULL,
  hash text NOT NULL,
  time text NOT NULL,
  frontier text[] NOT NULL,
  key_id text NOT NULL
);
CREATE TABLE ${SCHEMA}.chain_key (
  key_id text PRIMARY KEY,
  public_key text NOT NULL,
  revoked boolean NOT NULL DEFAULT false
);
CREATE TABLE ${SCHEMA}.evidence (
  seq bigint PRIMARY KEY CHECK (seq >= 0),
  oid text,
  type text NOT NULL CHECK (type IN (${quoted(RECORD_TYPES)})),
  prev_hash text NOT NULL UNIQUE,
  hash text NOT NULL UNIQUE,
  header text NOT NULL,
  data text,
  salt text,
  sig text NOT NULL,
  CHECK ((data IS NULL) = (salt IS NULL))
);
CREATE INDEX evidence_rare ON ${SCHEMA}.evidence (type, seq) WHERE type NOT IN (${quoted(COMMON_TYPES)});
CREATE TABLE ${SCHEMA}.replica (
  id text PRIMARY KEY,
  n bigint NOT NULL
);
CREATE TABLE ${SCHEMA}.proposal_ids (
  id text COLLATE "C" PRIMARY KEY,
  oid text,
  seq bigint,
  reported_by text NOT NULL,
  class text NOT NULL,
  effective_decision text NOT NULL
);
CREATE TABLE ${SCHEMA}.outbox (
  id bigserial PRIMARY KEY,
  oid text NOT NULL UNIQUE,
  kind text NOT NULL,
  proposal_id text COLLATE "C",
  replica text NOT NULL,
  n bigint NOT NULL,
  content bytea,
  content_sig text,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seq bigint,
  UNIQUE (replica, n),
  CHECK (content IS NOT NULL OR coalesce(seq, 0) > 0)
);
CREATE INDEX outbox_pending ON ${SCHEMA}.outbox (id) WHERE seq IS NULL;
CREATE TABLE ${SCHEMA}.quarantine (
  oid text PRIMARY KEY,
  reason text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz
);
CREATE TABLE ${SCHEMA}.result (
  proposal_id text COLLATE "C" NOT NULL,
  nth integer NOT NULL,
  oid text,
  seq bigint,
  status text NOT NULL,
  final boolean NOT NULL,
  assurance text NOT NULL,
  contradicts_verdict boolean NOT NULL,
  reported_by text NOT NULL,
  time text NOT NULL,
  body_digest text,
  PRIMARY KEY (proposal_id, nth)
);
CREATE UNIQUE INDEX result_final ON ${SCHEMA}.result (proposal_id) WHERE final;
CREATE TABLE ${SCHEMA}.approval (
  id text COLLATE "C" PRIMARY KEY,
  proposal_id text COLLATE "C" NOT NULL UNIQUE,
  state text NOT NULL,
  need text NOT NULL,
  shadow boolean NOT NULL,
  input_digest text NOT NULL,
  bundle_digest text NOT NULL,
  requested_at text NOT NULL,
  expires_at text NOT NULL,
  grant_expires_at text
);
CREATE INDEX approval_by_state ON ${SCHEMA}.approval (state, id);
CREATE TABLE ${SCHEMA}.approval_event (
  approval_id text COLLATE "C" NOT NULL,
  nth integer NOT NULL,
  event text NOT NULL,
  oid text,
  seq bigint,
  PRIMARY KEY (approval_id, nth)
);
CREATE FUNCTION ${SCHEMA}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'nothing of the evidence chain is changed or deleted'; END $$;
CREATE TRIGGER evidence_stays BEFORE UPDATE ON ${SCHEMA}.evidence FOR EACH ROW
  WHEN (NEW.data IS NOT NULL OR OLD.data IS NULL OR (NEW.seq, NEW.oid, NEW.type, NEW.prev_hash, NEW.hash, NEW.header, NEW.sig)
    IS DISTINCT FROM (OLD.seq, OLD.oid, OLD.type, OLD.prev_hash, OLD.hash, OLD.header, OLD.sig))
  EXECUTE FUNCTION ${SCHEMA}.refuse();
CREATE TRIGGER evidence_remains BEFORE DELETE OR TRUNCATE ON ${SCHEMA}.evidence FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();
CREATE TRIGGER head_grows BEFORE UPDATE ON ${SCHEMA}.head FOR EACH ROW
  WHEN (NEW.seq < OLD.seq OR NEW.chain_id <> OLD.chain_id) EXECUTE FUNCTION ${SCHEMA}.refuse();
CREATE TRIGGER head_remains BEFORE DELETE OR TRUNCATE ON ${SCHEMA}.head FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();
CREATE TRIGGER proposal_ids_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON ${SCHEMA}.proposal_ids
  FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();
CREATE TRIGGER replica_grows BEFORE UPDATE ON ${SCHEMA}.replica FOR EACH ROW WHEN (NEW.n < OLD.n) EXECUTE FUNCTION ${SCHEMA}.refuse();
`;

/** One step each, in order. A step that was released is never changed. Version 2 takes nothing from programs of version 1 any more. */
const MIGRATIONS: readonly string[] = [FIRST, MARK];

/**
 * Brings the schema to the version of this program, one server at a time; does nothing, and needs no right to, when it is there.
 * Version 1 gets the additions that its programs live with, and stays version 1: `markSchema` makes it version 2, once none of
 * them runs.
 * @returns its version
 * @throws {StoreError} AG-EVD-004 when the schema is of a later version, or this role may not change it
 */
export async function migrateSchema(client: ClientBase): Promise<number> {
  const state = await schemaState(client);
  if (state.version === MIGRATIONS.length) return state.version;
  if (state.version > 0 && state.missing.length === 0) return state.version;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${SCHEMA}.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    );
    const { version } = await schemaState(client);
    if (version === 0) await apply(client, 1);
    await add(client);
    if (version === 0) await apply(client, 2);
    await client.query('COMMIT');
    return version === 0 ? MIGRATIONS.length : version;
  } catch (error) {
    await client.query('ROLLBACK');
    if (error instanceof DatabaseError && error.code === '42501' && state.version > 0)
      throw new StoreError(
        'AG-EVD-004',
        'The tables of the store are of an earlier version. Run `bylaw store upgrade` as their owner, then apply `bylaw store grants` again.',
        { cause: error },
      );
    throw error;
  }
}

/**
 * Makes the schema version 2, in a transaction of the caller, who has found that no program of version 1 runs any more.
 * @returns false when it is version 2 already
 */
export async function markSchema(client: ClientBase): Promise<boolean> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, MIGRATION_LOCK]);
  const { version } = await schemaState(client);
  if (version === MIGRATIONS.length) return false;
  await apply(client, 2);
  return true;
}

async function apply(client: ClientBase, version: number): Promise<void> {
  await client.query(MIGRATIONS[version - 1] ?? '');
  await client.query(`INSERT INTO ${SCHEMA}.migration (version) VALUES ($1)`, [version]);
}

async function add(client: ClientBase): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}.addition (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
  );
  const { missing } = await schemaState(client);
  for (const { name, sql } of missing) {
    await client.query(sql);
    await client.query(`INSERT INTO ${SCHEMA}.addition (name) VALUES ($1)`, [name]);
  }
}

/**
 * @returns version: 0 when there are no tables; missing: additions that they do not have yet
 * @throws {StoreError} AG-EVD-004 when the schema is of a later version
 */
export async function schemaState(client: Pick<ClientBase, 'query'>): Promise<{ version: number; missing: typeof ADDITIONS }> {
  const { rows } = await client.query<{ there: boolean; added: boolean }>(
    `SELECT to_regclass('${SCHEMA}.migration') IS NOT NULL AS there, to_regclass('${SCHEMA}.addition') IS NOT NULL AS added`,
  );
  if (!rows[0]?.there) return { version: 0, missing: ADDITIONS };
  const found = await client.query<{ version: number }>(`SELECT coalesce(max(version), 0) AS version FROM ${SCHEMA}.migration`);
  const version = Number(found.rows[0]?.version);
  if (version > MIGRATIONS.length)
    throw new StoreError('AG-EVD-004', `The store has schema version ${version}; this program supports version ${MIGRATIONS.length}.`);
  if (!rows[0]?.added) return { version, missing: ADDITIONS };
  const added = await client.query<{ name: string }>(`SELECT name FROM ${SCHEMA}.addition`);
  const names = new Set(added.rows.map(({ name }) => name));
  return { version, missing: ADDITIONS.filter(({ name }) => !names.has(name)) };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
