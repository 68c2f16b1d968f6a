/**
 * Decisions per second of the gate's embedded store: durable, linked, signed, answered after their COMMIT.
 *
 *   npm run bench:store                         with 1 to 256 decisions in flight
 *   npm run bench:store -- --decisions 50000    more of them
 *   npm run bench:store -- --approvals 5000     as many decisions need an approval, which a start verifies
 *
 * Beside it, in the same run and folder, a bare loop that inserts the same number of bytes and commits: what the disk and SQLite
 * allow one decision per sync. `x bare` is the ratio. The second part tells how long a store of many records takes to open.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { systemClock } from '../packages/core/dist/clock.js';
import { newKeyPem, signerFromPem } from '../packages/plugin-gate/dist/keys/index.js';
import { openSqliteStore } from '../packages/plugin-gate/dist/store/sqlite/index.js';

const { values } = parseArgs({
  options: {
    decisions: { type: 'string', default: '20000' },
    approvals: { type: 'string', default: '2000' },
    'in-flight': { type: 'string', default: '1,2,8,32,64,256' },
  },
});
const decisions = Number(values.decisions);
const folder = mkdtempSync(join(tmpdir(), 'bylaw-bench-'));
const pem = newKeyPem();
const options = {
  path: join(folder, 'gate', 'store.sqlite'),
  role: 'server' as const,
  key: { pem, signer: signerFromPem(pem) },
  clock: systemClock,
  random: randomBytes,
  dev: false,
  reportedBy: 'system',
};

try {
  const bare = bareCommits(Math.min(decisions, 5000));
  console.log(`bare INSERT + COMMIT, one sync each: ${bare.toFixed(0)}/s\n`);
  console.log(
    `${'in flight'.padStart(9)}${'decisions/s'.padStart(13)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'x bare'.padStart(8)}`,
  );
  const store = await openSqliteStore(options);
  let total = 0;
  for (const inFlight of values['in-flight'].split(',').map(Number)) {
    const count = Math.min(decisions, inFlight * 2000);
    const { perSecond, p50, p99 } = await measure(store, inFlight, count);
    total += count;
    console.log(
      String(inFlight).padStart(9) +
        perSecond.toFixed(0).padStart(13) +
        p50.toFixed(2).padStart(9) +
        p99.toFixed(2).padStart(9) +
        (perSecond / bare).toFixed(2).padStart(8),
    );
  }
  await fileApprovals(store, Number(values.approvals));
  await store.close();
  const start = performance.now();
  const again = await openSqliteStore(options);
  const opened = performance.now() - start;
  console.log(
    `\nopens ${((await again.head())?.seq ?? 0) + 1} records (${total} decisions, ${values.approvals} open approvals) in ${opened.toFixed(0)} ms`,
  );
  await again.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns commits per second */
function bareCommits(count: number): number {
  const db = new DatabaseSync(join(folder, 'bare.sqlite'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT) STRICT');
  const insert = db.prepare('INSERT INTO t (a, b) VALUES (?, ?)');
  const { proposal, verdict } = unit('bare-0');
  const [a, b] = [JSON.stringify(proposal), JSON.stringify(verdict)];
  const start = performance.now();
  for (let done = 0; done < count; done++) {
    db.exec('BEGIN IMMEDIATE');
    insert.run(a, b);
    db.exec('COMMIT');
  }
  const seconds = (performance.now() - start) / 1000;
  db.close();
  return count / seconds;
}

async function measure(store: Awaited<ReturnType<typeof openSqliteStore>>, inFlight: number, count: number) {
  const waits: number[] = [];
  const prefix = randomBytes(8).toString('hex');
  let next = 0;
  const client = async () => {
    while (next < count) {
      const id = `${prefix}-${next++}`;
      const start = performance.now();
      await store.decide(unit(id));
      waits.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, client));
  const seconds = (performance.now() - start) / 1000;
  waits.sort((a, b) => a - b);
  return { perSecond: count / seconds, p50: waits[Math.floor(count / 2)] ?? 0, p99: waits[Math.floor(count * 0.99)] ?? 0 };
}

async function fileApprovals(store: Awaited<ReturnType<typeof openSqliteStore>>, count: number): Promise<void> {
  const need = { groups: ['sre'], quorum: 1, ttl_seconds: 86_400, grant_ttl_seconds: 900 };
  const file = async (_: unknown, index: number) => {
    const decision = unit(`approval-${index}`);
    const approval = { id: `apr_${index}`, need, shadow: false, expiresAt: new Date(Date.parse(decision.time) + 86_400_000).toISOString() };
    const verdict = { ...decision.verdict.verdict, decision: 'REQUIRE_APPROVAL' as const, approval: need };
    const effective = { effective_decision: 'REQUIRE_APPROVAL' as const, approval: approval.id };
    await store.decide({ ...decision, verdict: { ...decision.verdict, verdict, ...effective }, approval });
  };
  await Promise.all(Array.from({ length: count }, file));
}

/** A decision of common size. */
function unit(id: string): Parameters<Awaited<ReturnType<typeof openSqliteStore>>['decide']>[0] {
  const time = new Date().toISOString();
  return {
    kind: 'decision',
    proposalId: id,
    time,
    dev: false,
    reportedBy: 'ci-main',
    proposal: {
      proposal: {
        id,
        principal: { id: 'alice@example.com', type: 'human' },
        agent: { id: 'deploy-bot', model: 'm-1', session_id: 's-42' },
        enforcement: 'enforcing',
        action: {
          type: 'kubernetes.apply',
          resource: 'k8s://prod/web/deployment/frontend',
          parameters: { replicas: 3, image: 'registry.example.com/web@sha256:1b2c', namespace: 'web' },
          summary: 'Roll out release 4.2.1',
        },
        environment: 'production',
        justification: 'Release 4.2.1 as planned in CHG-1234',
        requested_at: time,
      },
      budget: null,
      mandate: null,
      evaluated_at: time,
      adapter: { id: 'ci-main', kind: 'ci' },
      class: 'enforcing',
    },
    verdict: {
      proposal_id: id,
      verdict: {
        decision: 'ALLOW',
        reasons: [{ code: 'AG-POL-022', policy: 'deploys', message: 'Deployments by the pipeline are allowed.' }],
        matched_policies: [{ id: 'deploys', effect: 'allow' }],
        draft_matches: [],
        obligations: [],
        approval: null,
        mandate: { status: 'absent' },
        budget: { status: 'absent' },
        governance: null,
        bundle: { id: 'acme-prod', version: '3.2.0', digest: `sha256:${'ab'.repeat(32)}` },
        input_digest: `sha256:${'cd'.repeat(32)}`,
        engine: 'svc-check/1',
      },
      enforced: true,
      effective_decision: 'ALLOW',
      approval: null,
    },
  };
}
