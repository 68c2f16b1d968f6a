import type { FollowRules } from '../../../approval/index.js';
import { type Check, check } from '../../sqlite/check/inspect.js';
import { UnverifiedError } from '../../store.js';
import { QUARANTINED, SCHEMA } from '../database/names.js';
import type { Queries } from '../database/queries.js';
import { listQuarantine } from '../health/quarantine.js';
import { deriveCached, readCached } from '../reads/read-approvals.js';
import { subjectIn } from '../reads/read-history.js';
import type { OutboxContent } from '../seal/outbox.js';
import { type Proofs, type WaitingRow, waitingAt } from '../seal/proofs.js';

/** Faults that are listed. */
const MOST_FAULTS = 20;

/** Compares every row beside the chain with the records, in both directions, and looks at all that waits. */
export async function tableFaults(client: Queries, how: { proofs: Proofs; rules: Omit<FollowRules, 'chainId'> }): Promise<Check[]> {
  return [
    await proposalsCheck(client),
    await outboxCheck(client, how.proofs),
    await resultsCheck(client),
    await approvalsCheck(client, how),
  ];
}

const DROPPED = `EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.oid = p.oid AND q.resolution = 'dropped')`;
/** A verdict names its proposal before anything that a caller chose. */
const PROPOSAL_OF = subjectIn('e.data', 'result');

async function proposalsCheck(client: Queries): Promise<Check> {
  const faults = [
    ...(await found(
      client,
      `SELECT p.id AS what FROM ${SCHEMA}.proposal_ids p LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid
         LEFT JOIN ${SCHEMA}.evidence e ON e.seq = coalesce(p.seq, o.seq)
       WHERE NOT (o.oid IS NOT NULL AND (o.seq IS NULL OR o.seq = ${QUARANTINED})) AND NOT ${DROPPED}
         AND (e.type IS DISTINCT FROM 'verdict' OR e.oid IS DISTINCT FROM p.oid OR (e.data IS NOT NULL AND ${PROPOSAL_OF} IS DISTINCT FROM p.id))`,
      'the used identifier % has no verdict of its own',
    )),
    ...(await found(
      client,
      `SELECT p.id AS what FROM ${SCHEMA}.proposal_ids p LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid
         JOIN ${SCHEMA}.evidence e ON e.seq = coalesce(p.seq, o.seq)
       WHERE e.data IS NOT NULL AND substring(e.data from '"effective_decision":"([A-Z_]+)"') IS DISTINCT FROM p.effective_decision`,
      'the used identifier % names another decision than its verdict',
    )),
    ...(await found(
      client,
      `SELECT e.seq AS what FROM ${SCHEMA}.evidence e WHERE e.type = 'verdict' AND e.data IS NOT NULL
         AND NOT EXISTS (SELECT FROM ${SCHEMA}.proposal_ids p WHERE p.id = ${PROPOSAL_OF})`,
      'record %: the identifier of its proposal is not used',
    )),
    ...(await found(
      client,
      `SELECT max(e.seq) AS what FROM ${SCHEMA}.evidence e WHERE e.type = 'verdict' AND e.data IS NOT NULL
       GROUP BY ${PROPOSAL_OF} HAVING count(*) > 1`,
      'record %: its proposal already had a verdict',
    )),
  ];
  return check('proposals', shortened(faults), `Every used identifier (${await count(client, 'proposal_ids')}) has a verdict.`);
}

async function outboxCheck(client: Queries, proofs: Proofs): Promise<Check> {
  const faults = [
    ...(await found(
      client,
      `SELECT o.oid AS what FROM ${SCHEMA}.outbox o LEFT JOIN ${SCHEMA}.evidence e ON e.seq = o.seq WHERE o.seq >= 0
         AND (e.oid IS DISTINCT FROM o.oid OR e.type IS DISTINCT FROM CASE o.kind WHEN 'decision' THEN 'verdict' ELSE o.kind END)`,
      'entry % has a number that no record of its own has',
    )),
    ...(await found(
      client,
      `SELECT e.seq AS what FROM ${SCHEMA}.evidence e WHERE e.oid IS NOT NULL
         AND NOT EXISTS (SELECT FROM ${SCHEMA}.outbox o WHERE o.oid = e.oid)`,
      'record %: its entry is missing',
    )),
    ...(await listQuarantine(client)).filter(({ state }) => state === 'open').map(({ ref, reason }) => `entry ${ref}: ${reason}`),
    ...(await found(
      client,
      `SELECT q.oid AS what FROM ${SCHEMA}.quarantine q WHERE q.resolution = 'dropped' AND NOT EXISTS (SELECT FROM ${SCHEMA}.evidence e
         WHERE e.type = 'admin_action' AND position('"action":"quarantine.drop"' in e.data) > 0 AND position('"ref":"' || q.oid || '"' in e.data) > 0)`,
      'entry % was dropped, and no record says so',
    )),
    ...(await waitingFaults(client, proofs)),
  ];
  return check('outbox', shortened(faults), `Every entry (${await count(client, 'outbox')}) is numbered by its record, or waits for that.`);
}

async function waitingFaults(client: Queries, proofs: Proofs): Promise<string[]> {
  const { rows } = await client.query<{ oid: string; kind: OutboxContent['kind']; waiting: WaitingRow }>(
    `SELECT o.oid, o.kind, ${waitingAt('o')} AS waiting FROM ${SCHEMA}.outbox o WHERE o.seq IS NULL ORDER BY o.id`,
  );
  const faults: string[] = [];
  for (const { oid, kind, waiting } of rows)
    try {
      await proofs.content(waiting, kind);
    } catch (error) {
      if (!(error instanceof UnverifiedError)) throw error;
      faults.push(`entry ${oid} waits, and was altered`);
    }
  return faults;
}

async function resultsCheck(client: Queries): Promise<Check> {
  const record = `LEFT JOIN ${SCHEMA}.outbox o ON o.oid = r.oid LEFT JOIN ${SCHEMA}.evidence e ON e.seq = coalesce(r.seq, o.seq)`;
  const faults = [
    ...(await found(
      client,
      `SELECT r.proposal_id AS what FROM ${SCHEMA}.result r ${record}
       WHERE NOT (o.oid IS NOT NULL AND (o.seq IS NULL OR o.seq = ${QUARANTINED}))
         AND (e.type IS DISTINCT FROM 'result' OR e.oid IS DISTINCT FROM r.oid
           OR (e.data IS NOT NULL AND ${PROPOSAL_OF} IS DISTINCT FROM r.proposal_id))`,
      'a result of the proposal % has no record',
    )),
    ...(await found(
      client,
      `SELECT e.seq AS what FROM ${SCHEMA}.result r ${record} WHERE e.data IS NOT NULL AND e.type = 'result'
         AND position('"status":"' || r.status || '","verdict_seq":' in e.data) = 0`,
      'record %: the table names another status',
    )),
    ...(await found(
      client,
      `SELECT e.seq AS what FROM ${SCHEMA}.evidence e WHERE e.type = 'result' AND e.data IS NOT NULL AND NOT EXISTS (
         SELECT FROM ${SCHEMA}.result r WHERE r.proposal_id = ${PROPOSAL_OF} AND (r.seq = e.seq OR (r.oid IS NOT NULL AND r.oid = e.oid)))`,
      'record %: the table of results does not have it',
    )),
  ];
  return check('results', shortened(faults), `Every result (${await count(client, 'result')}) has its record.`);
}

async function approvalsCheck(client: Queries, how: { proofs: Proofs; rules: Omit<FollowRules, 'chainId'> }): Promise<Check> {
  const faults: string[] = [];
  for (const cached of await readCached(client, 'true', []))
    try {
      const [derived] = await deriveCached(client, [cached], how);
      if (derived === undefined) faults.push(`approval ${cached.id}: no decision asks for it`);
      else if (derived.approval.state !== cached.state)
        faults.push(`approval ${cached.id}: the table says ${cached.state}, and its records say ${derived.approval.state}`);
    } catch (error) {
      if (!(error instanceof UnverifiedError)) throw error;
      faults.push(`approval ${cached.id}: ${error.message}`);
    }
  const approval = subjectIn('e.data', 'approval');
  faults.push(
    ...(await found(
      client,
      `SELECT e.seq AS what FROM ${SCHEMA}.evidence e WHERE e.type = 'approval' AND e.data IS NOT NULL
         AND NOT EXISTS (SELECT FROM ${SCHEMA}.approval a WHERE a.id = ${approval})`,
      'record %: its approval is missing in the table',
    )),
  );
  return check('approvals', shortened(faults), `Every approval (${await count(client, 'approval')}) is as its records say.`);
}

async function found(client: Queries, query: string, text: string): Promise<string[]> {
  const { rows } = await client.query<{ what: string | number }>(`${query} ORDER BY 1 LIMIT ${MOST_FAULTS + 1}`);
  return rows.map(({ what }) => text.replace('%', String(what)));
}

async function count(client: Queries, table: string): Promise<number> {
  return Number((await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${SCHEMA}.${table}`)).rows[0]?.rows);
}

function shortened(faults: readonly string[]): string[] {
  return faults.length > MOST_FAULTS ? [...faults.slice(0, MOST_FAULTS), 'and more'] : [...faults];
}
