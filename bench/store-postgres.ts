/**
 * Decisions per second of the gate's deferred store: accepted durably by several replicas, numbered, linked and signed by one
 * sequencer, over a real PostgreSQL that keeps what it acknowledges.
 *
 *   npm run bench:store-postgres                        one, two and four replicas
 *   npm run bench:store-postgres -- --decisions 50000   more of them
 *
 * Beside it, in the same run and database, the same number of clients that insert the same number of bytes and commit one by one.
 * `sequenced/s` counts until the last decision has its number; `lag` is from the acknowledgement of a decision to its number, as
 * the database's clock tells it. Replicas are threads; server, replicas and load share the machine.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import { systemClock } from '../packages/core/dist/clock.js';
import { newKeyPem, signerFromPem } from '../packages/plugin-gate/dist/keys/index.js';
import { openPostgresStore } from '../packages/plugin-gate/dist/store/postgres/index.js';
import { startPostgres } from '../packages/plugin-gate/dist/store/postgres/testing/server.test-support.js';
import { aDecision } from '../packages/plugin-gate/dist/store/postgres/testing/units.test-support.js';

interface Work {
  dsn: string;
  pem: string;
  replica: string;
  decisions: number;
  inFlight: number;
}

const IN_FLIGHT = 64;

if (isMainThread) await main();
else await replica(workerData);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { decisions: { type: 'string', default: '20000' }, replicas: { type: 'string', default: '1,2,4' } },
  });
  const decisions = Number(values.decisions);
  const server = await startPostgres();
  if ('absent' in server) throw new Error(server.absent);
  try {
    console.log(`PostgreSQL from ${server.origin}, ${IN_FLIGHT} decisions in flight per replica\n`);
    console.log('replicas  accepted/s  sequenced/s  p50 ms  p99 ms  lag p50 ms  lag p99 ms  bare commits/s  sequenced x bare');
    for (const replicas of values.replicas.split(',').map(Number)) {
      const bare = await bareCommits(await server.createDatabase(), replicas * 16, Math.min(decisions, 5000));
      const found = await measure(await server.createDatabase(), replicas, decisions);
      const cells = [
        replicas,
        found.accepted,
        found.sequenced,
        found.p50,
        found.p99,
        found.lag50,
        found.lag99,
        bare,
        found.sequenced / bare,
      ];
      const widths = [8, 12, 13, 8, 8, 12, 12, 16, 18];
      const places = [0, 0, 0, 1, 1, 1, 1, 0, 2];
      console.log(cells.map((cell, index) => cell.toFixed(places[index]).padStart(widths[index] ?? 0)).join(''));
    }
  } finally {
    await server.stop();
  }
}

/** @returns commits per second of clients that insert one row of the size of a decision and commit, each for itself */
async function bareCommits(dsn: string, clients: number, count: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: dsn, max: clients });
  await pool.query('CREATE TABLE bare (id bigserial PRIMARY KEY, a text, b text)');
  const { proposal, verdict } = aDecision('bare');
  const [a, b] = [JSON.stringify(proposal), JSON.stringify(verdict)];
  let left = count;
  const insert = async () => {
    while (left-- > 0) await pool.query('INSERT INTO bare (a, b) VALUES ($1, $2)', [a, b]);
  };
  await Promise.all(Array.from({ length: clients }, () => pool.query('SELECT 1')));
  const start = performance.now();
  await Promise.all(Array.from({ length: clients }, insert));
  const seconds = (performance.now() - start) / 1000;
  await pool.end();
  return count / seconds;
}

async function measure(dsn: string, replicas: number, decisions: number) {
  const pem = newKeyPem();
  const pool = new pg.Pool({ connectionString: dsn, max: 1 });
  const workers = Array.from({ length: replicas }, (_, index) => {
    const work: Work = { dsn, pem, replica: `r${index}`, decisions: Math.ceil(decisions / replicas), inFlight: IN_FLIGHT };
    return new Worker(new URL(import.meta.url), { workerData: work });
  });
  const next = () => Promise.all(workers.map((worker) => new Promise<number[]>((resolve) => worker.once('message', resolve))));
  await next();
  // The instant of the COMMIT of every record: kept by the server with the transaction that wrote it.
  const start = performance.now();
  for (const worker of workers) worker.postMessage('go');
  const times = (await next()).flat().sort((x, y) => x - y);
  const accepted = performance.now() - start;
  for (let pending = 1; pending > 0; ) {
    const { rows } = await pool.query('SELECT count(*) AS pending FROM bylaw_gate.outbox WHERE seq IS NULL');
    pending = Number(rows[0].pending);
  }
  const sequenced = performance.now() - start;
  const { rows } =
    await pool.query(`SELECT extract(epoch FROM pg_xact_commit_timestamp(e.xmin) - pg_xact_commit_timestamp(p.xmin)) * 1000 AS lag
    FROM bylaw_gate.evidence e JOIN bylaw_gate.proposal_ids p USING (oid) WHERE e.type = 'verdict' ORDER BY 1`);
  for (const worker of workers) worker.postMessage('end');
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
  await pool.end();
  const lags = rows.map(({ lag }) => Number(lag));
  const count = times.length;
  return {
    accepted: (count / accepted) * 1000,
    sequenced: (count / sequenced) * 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    lag50: quantile(lags, 0.5),
    lag99: quantile(lags, 0.99),
  };
}

/** Says when it is ready, decides when it is told to, says how long each decision took, and ends when it is told to. */
async function replica({ dsn, pem, replica: name, decisions, inFlight }: Work): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a thread.');
  const store = await openPostgresStore({
    dsn,
    role: 'server',
    key: { pem, signer: signerFromPem(pem) },
    clock: systemClock,
    random: randomBytes,
    dev: false,
    reportedBy: 'system',
    replica: name,
    sequenceWaitMs: 0,
    pollMs: 20,
  });
  const told = () => new Promise((resolve) => port.once('message', resolve));
  const go = told();
  port.postMessage([]);
  await go;
  const times: number[] = [];
  let left = decisions;
  const decide = async () => {
    while (left-- > 0) {
      const start = performance.now();
      await store.decide(aDecision(`${name}-${left}`));
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, decide));
  const end = told();
  port.postMessage(times);
  await end;
  await store.close();
  port.close();
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
