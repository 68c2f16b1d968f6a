import { plural } from '@bylaw/core/plural';
import pg from 'pg';
import { rootOfFrontier, type StoredRecord } from '../../../evidence/index.js';
import { type Check, check, checkpointCheck, readCheckpoint } from '../../sqlite/check/inspect.js';
import { StoreError } from '../../store.js';
import { type ApproverGroups, groupsOf } from '../../store-options.js';
import { faultSurvey } from '../../verify/fault-survey.js';
import { beginWalk, type Walk, walkOn } from '../../verify/walk.js';
import { readHeadRow } from '../chain/chain.js';
import { readKeys } from '../chain/chain-keys.js';
import { type EvidenceRow, RECORD_COLUMNS, recordOf } from '../chain/record-row.js';
import { checkServer } from '../database/database.js';
import { SCHEMA } from '../database/names.js';
import { ADDITIONS, MARK } from '../schema/additions.js';
import { FIRST, schemaState } from '../schema/schema.js';
import { storeErrorOf } from '../schema/transaction.js';
import { proofsOf } from '../seal/proofs.js';
import { tableFaults } from './inspect-tables.js';

export interface InspectDatabaseOptions {
  dsn: string;
  /** Absent: there are no checkpoints to compare with. */
  checkpointDir: string | undefined;
  /** Leaves signatures out, which take most of the time. */
  fast: boolean;
  approvers?: readonly ApproverGroups[] | undefined;
}

/** Records that are read at one time. */
const PART_ROWS = 1000;

/**
 * Looks at the whole store, and changes nothing. It reads one snapshot, so servers may go on writing.
 * @throws {StoreError} when the database cannot be used, or holds no store
 */
export async function inspectDatabase({ dsn, checkpointDir, fast, approvers }: InspectDatabaseOptions): Promise<Check[]> {
  // A pool would give up statements that read everything.
  const client = new pg.Client({ connectionString: dsn, application_name: 'bylaw gate 2: doctor' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { version } = await schemaState(client);
    if (version === 0) throw new StoreError('AG-EVD-004', 'The database has no evidence store.');
    const checkpoint = await readCheckpoint(checkpointDir);
    const database = await databaseCheck(client);
    const schema = await schemaCheck(client);
    const survey = faultSurvey();
    const { walk, rootThere } = await walkWhole(client, fast, checkpoint.size, (record) => survey.next(record));
    const tables = await tablesOf(client, approvers);
    return [
      database,
      schema,
      chainCheck(walk, fast),
      await headCheck(client, walk),
      ...survey.findings().map(({ name, faults, message }) => check(name, faults, message)),
      ...tables,
      ...(checkpointDir === undefined ? [] : [checkpointCheck(checkpoint, walk, rootThere)]),
    ];
  } catch (error) {
    throw storeErrorOf(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function databaseCheck(client: pg.Client): Promise<Check> {
  try {
    await checkServer(client);
    return check('database', [], 'The server is recent enough, and acknowledges only what is on its disk.');
  } catch (error) {
    if (error instanceof StoreError) return check('database', [error.message], '');
    throw error;
  }
}

/** Every trigger must be there and enabled, and every function must have the text that this program gives it. */
async function schemaCheck(client: pg.Client): Promise<Check> {
  const { version, missing } = await schemaState(client);
  const steps = [FIRST, ...ADDITIONS.filter((step) => !missing.includes(step)).map(({ sql }) => sql), ...(version > 1 ? [MARK] : [])];
  const triggers = await client.query<{ name: string; tgenabled: string }>(
    `SELECT c.relname || '.' || t.tgname AS name, t.tgenabled FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = '${SCHEMA}'::regnamespace AND NOT t.tgisinternal`,
  );
  const functions = await client.query<{ proname: string; prosrc: string }>(
    `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace`,
  );
  const enabled = new Map(triggers.rows.map(({ name, tgenabled }) => [name, tgenabled === 'O' || tgenabled === 'A']));
  const sources = new Map(functions.rows.map(({ proname, prosrc }) => [proname, prosrc]));
  const text = steps.join('\n');
  const faults = [
    ...[...text.matchAll(TRIGGER)].flatMap(([, trigger, table]) => {
      const found = enabled.get(`${table}.${trigger}`);
      return found === true ? [] : [`the trigger ${trigger} of the table ${table} is ${found === undefined ? 'missing' : 'disabled'}`];
    }),
    ...[...text.matchAll(FUNCTION)].flatMap(([, name = '', source]) =>
      sources.get(name) === source ? [] : [`the function ${name} is ${sources.has(name) ? 'not the one of this version' : 'missing'}`],
    ),
  ];
  const old = version === 1 ? ' An earlier version made the tables: run `bylaw store upgrade`.' : '';
  return check('schema', faults, `All triggers are present and enabled.${old}`);
}

const TRIGGER = new RegExp(`CREATE TRIGGER (\\w+)\\s+BEFORE [^;]*? ON ${SCHEMA}\\.(\\w+)`, 'g');
const FUNCTION = new RegExp(`CREATE FUNCTION ${SCHEMA}\\.(\\w+)\\(\\)[^$]*\\$\\$([^$]*)\\$\\$`, 'g');

async function walkWhole(
  client: pg.Client,
  fast: boolean,
  checkpointSize: number | undefined,
  next: (record: StoredRecord) => void,
): Promise<{ walk: Walk; rootThere: string | undefined }> {
  const walk = beginWalk();
  let rootThere: string | undefined;
  for (let after = -1; ; ) {
    const { rows } = await client.query<EvidenceRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE seq > $1 ORDER BY seq LIMIT ${PART_ROWS}`,
      [after],
    );
    for (const record of rows.map(recordOf)) {
      walkOn(walk, record, { signatures: !fast, times: false });
      next(record);
      if (walk.size === checkpointSize) rootThere = rootOfFrontier(walk.frontier);
      after = record.seq;
    }
    if (rows.length === 0) return { walk, rootThere };
  }
}

function chainCheck({ size, faults }: Walk, fast: boolean): Check {
  const what = fast ? 'numbers, links and hashes' : 'numbers, links, hashes and signatures';
  return check('chain', faults, `${plural(size, 'record')}: ${what} are correct${fast ? ' (signatures were skipped)' : ''}.`);
}

async function headCheck(client: pg.Client, walk: Walk): Promise<Check> {
  const head = await readHeadRow(client);
  if (head === undefined) return check('head', walk.size === 0 ? [] : ['there are records but no head'], 'The chain has not started.');
  const { rows } = await client.query<{ key_id: string }>(`SELECT key_id FROM ${SCHEMA}.head`);
  const faults = [
    ...(head.seq + 1 === walk.size && head.hash === walk.hash
      ? []
      : [`the head is at record ${head.seq}, but the last record is ${walk.size - 1}`]),
    ...(head.frontier.join() === walk.frontier.join() ? [] : ['the tree of the head does not match the records']),
    ...(rows[0]?.key_id === walk.key?.id ? [] : ['the head names a different key than the records']),
  ];
  return check('head', faults, `The head is record ${head.seq}, and its tree matches the records.`);
}

/** Without keys that the chain proves nothing else can be compared: the other checks say what is wrong with them. */
async function tablesOf(client: pg.Client, approvers: readonly ApproverGroups[] | undefined): Promise<Check[]> {
  const head = await readHeadRow(client);
  if (head === undefined) return [];
  try {
    const proofs = proofsOf(await readKeys(client, head.seq));
    return await tableFaults(client, { proofs, rules: { groupsOf: groupsOf(approvers) } });
  } catch (error) {
    if (error instanceof StoreError) return [check('tables', [error.message], '')];
    throw error;
  }
}
