/**
 * Decisions per second of the gate's deferred store: accepted durably by several replicas, numbered, linked and signed by one
 * sequencer, over a real PostgreSQL that keeps what it acknowledges.
 *
 *   npm run bench:store-postgres                        one, two and four replicas
 *   npm run bench:store-postgres -- --decisions 50000   more of them
 *
 * Beside it, in the same run and database, the same number of clients that insert the same number of bytes and commit one by one.
 * An answer waits up to 250 ms for its number, as a server's does; `p50` and `p99` are those of answers, `unnumbered` the share
 * that left without. `sequenced/s` counts until the last decision has its number; `lag` is from the commit of a decision to that
 * of its records, as the server has noted them. Replicas are threads; server, replicas and load share the machine.
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

interface Answered {
  /** Milliseconds of each. */
  times: number[];
  unnumbered: number;
}

const IN_FLIGHT = 128;
/** Milliseconds that an answer waits for its number: the default of the configuration. */
const WAIT_MS = 250;

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
    console.log('replicas  sequenced/s  p50 ms  p99 ms  unnumbered  lag p50 ms  lag p99 ms  bare commits/s  sequenced x bare');
    for (const replicas of values.replicas.split(',').map(Number)) {
      const bare = await bareCommits(await server.createDatabase(), replicas * 16, Math.min(decisions, 5000));
      const found = await measure(await server.createDatabase(), replicas, decisions);
      const { sequenced, p50, p99, unnumbered, lag50, lag99 } = found;
      const cells = [replicas, sequenced, p50, p99, unnumbered, lag50, lag99, bare, sequenced / bare];
      const widths = [8, 13, 8, 8, 12, 12, 12, 16, 18];
      const places = [0, 0, 1, 1, 2, 1, 1, 0, 2];
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
  const next = () => Promise.all(workers.map((worker) => new Promise<Answered>((resolve) => worker.once('message', resolve))));
  await next();
  const start = performance.now();
  for (const worker of workers) worker.postMessage('go');
  const answered = await next();
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
  const times = answered.flatMap((one) => one.times).sort((x, y) => x - y);
  return {
    sequenced: (times.length / sequenced) * 1000,
    unnumbered: answered.reduce((sum, one) => sum + one.unnumbered, 0) / times.length,
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
    sequenceWaitMs: WAIT_MS,
    pollMs: 20,
  });
  const told = () => new Promise((resolve) => port.once('message', resolve));
  const go = told();
  port.postMessage('ready');
  await go;
  const answered: Answered = { times: [], unnumbered: 0 };
  let left = decisions;
  const decide = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const recorded = await store.decide(aDecision(`${name}-${left}`));
      answered.times.push(performance.now() - start);
      if (recorded?.seq[1] === 0) answered.unnumbered += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, decide));
  const end = told();
  port.postMessage(answered);
  await end;
  await store.close();
  port.close();
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
