/**
 * Exports of the evidence chain, and their verification: records per second of processor time, and what bare signatures take.
 *
 *   npm run build && node bench/verify.ts [records]
 *
 * Records are decisions of the usual size (a proposal of 0.7 KB, a verdict of 0.6 KB), signed, from memory.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ChainHead,
  evidenceFile,
  exportCsv,
  exportJsonl,
  exportOscal,
  genesisDraft,
  oscalSettings,
  type StoredRecord,
  sealRecords,
  signedText,
  verifyEvidence,
} from '../packages/plugin-gate/dist/evidence/index.js';
import { canonical } from '../packages/plugin-gate/dist/json/index.js';
import { publicKeyOf, signerFromSeed, verifySignature } from '../packages/plugin-gate/dist/keys/index.js';

const count = Number(process.argv[2] ?? 50_000);
const chainId = '00000000-0000-4000-8000-000000000000';
const signer = signerFromSeed(new Uint8Array(32).fill(7));
const time = '2026-01-02T03:04:05.678Z';
const folder = mkdtempSync(join(tmpdir(), 'bylaw-verify-'));

try {
  const records = chain();
  const settings = oscalSettings({ version: '1.1.2', controls: ['AU-2'] }, chainId, [{ id: 'prod-needs-human', controls: ['CM-3'] }]);
  const formats = {
    jsonl: () => exportJsonl(batches(records)),
    csv: () => exportCsv(batches(records)),
    oscal: () => exportOscal(() => batches(records), settings),
  };
  const bare = await timed(async () => {
    const key = publicKeyOf(signer.publicKey);
    for (const record of records.slice(0, 5000)) verifySignature(signedText(record.hash), record.sig, key);
  });
  const bareRate = Math.round(5000 / bare.seconds);
  console.log(`${records.length} records; signatures alone ${bareRate}/s`);
  for (const [format, open] of Object.entries(formats)) {
    const path = join(folder, format);
    const exported = await timed(() => pipeline(Readable.from(open()), createWriteStream(path)));
    let exit = -1;
    const verified = await timed(async () => {
      ({ exit } = await verifyEvidence([evidenceFile(path)], { key: { name: 'svc.example', publicKey: signer.publicKey } }));
    });
    if (exit !== 0) throw new Error(`the ${format} export does not verify`);
    const megabytes = (statSync(path).size / 1e6).toFixed(0);
    const rate = Math.round(records.length / verified.seconds);
    console.log(
      `${format.padEnd(6)} ${megabytes} MB  export ${exported.seconds.toFixed(2)} s  verify ${verified.seconds.toFixed(2)} s = ${rate} records/s (${(rate / bareRate).toFixed(2)} of signatures alone)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

function chain(): StoredRecord[] {
  const genesis = genesisDraft({ chainId, origin: 'svc.example', publicKey: signer.publicKey, time, dev: false });
  const salt = () => Buffer.alloc(16, 1);
  const records = sealRecords(undefined, [genesis], signer, salt).records;
  let head: ChainHead = sealRecords(undefined, [genesis], signer, salt).head;
  while (records.length < count) {
    const sealed = sealRecords(head, decision(`p-${records.length}`, head.seq + 1), signer, salt);
    records.push(...sealed.records);
    head = sealed.head;
  }
  return records;
}

function decision(id: string, seq: number) {
  const proposal = {
    id,
    principal: { id: 'team-payments@example.com', type: 'service' },
    agent: { id: 'deploy-bot', version: '4.2.0', model: 'some-model' },
    action: {
      type: 'kubernetes.apply',
      resource: 'k8s://prod/payments/web',
      parameters: { replicas: 4, image: `web@sha256:${'c'.repeat(64)}` },
    },
    environment: 'production',
    justification: 'Roll out the release that was tested on staging this morning.',
    context: { run: '1234567', commit: 'd'.repeat(40), ticket: 'PAY-4711' },
  };
  const verdict = {
    decision: 'ALLOW',
    reasons: [{ code: 'AG-POL-022', policy: 'prod-needs-human', message: 'Rollouts within the window are allowed.' }],
    matched_policies: [{ id: 'prod-needs-human', effect: 'allow' }],
    bundle: { id: 'acme', version: '3.2.0', digest: `sha256:${'a'.repeat(64)}` },
    input_digest: `sha256:${'b'.repeat(64)}`,
    engine: 'svc-check/1',
  };
  const shared = { time, dev: false, reportedBy: 'ci-main' };
  const asked = { proposal, budget: null, mandate: null, evaluated_at: time, adapter: { id: 'ci-main', kind: 'ci' }, class: 'enforcing' };
  const told = { proposal_id: id, proposal_seq: seq, verdict, enforced: true, effective_decision: 'ALLOW', approval: null };
  return [
    { ...shared, type: 'proposal' as const, data: canonical(asked) },
    { ...shared, type: 'verdict' as const, data: canonical(told) },
  ];
}

async function* batches(records: readonly StoredRecord[]) {
  for (let at = 0; at < records.length; at += 500) yield records.slice(at, at + 500);
}

/** Seconds of processor time: what a core takes, however busy the machine is. */
async function timed(work: () => Promise<void>): Promise<{ seconds: number }> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return { seconds: (user + system) / 1e6 };
}
