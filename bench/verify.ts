/**
 * Exports of the evidence chain, and their verification, on this thread and on one thread for each processor: records per second of
 * processor time, beside bare checks of signatures, which run before each verification. Each is measured several times by turns;
 * the median is printed.
 *
 *   npm run build && node bench/verify.ts [records]
 *     --rounds 3       how often each is measured
 *     --base FOLDER    also by turns: the verifier of another checkout, which is built
 *
 * Records are decisions of the usual size (a proposal of 0.7 KB, a verdict of 0.6 KB), signed, from memory.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, base: { type: 'string' } },
});
const count = Number(positionals[0] ?? 50_000);
const processors = availableParallelism();
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
  for (const [format, open] of Object.entries(formats)) {
    const path = join(folder, format);
    const exported = await timed(() => pipeline(Readable.from(open()), createWriteStream(path)));
    console.log(
      `${format}: ${records.length} records, ${(statSync(path).size / 1e6).toFixed(0)} MB, exported in ${exported.processor.toFixed(2)} s`,
    );
    await compare(path, records, await verifiers());
  }
} finally {
  rmSync(folder, { recursive: true });
}

type Verify = typeof verifyEvidence;

async function verifiers(): Promise<{ [name: string]: (...args: Parameters<Verify>) => ReturnType<Verify> }> {
  const base = values.base && join(resolve(values.base), 'packages/plugin-gate/dist/evidence/index.js');
  const other = base && ((await import(pathToFileURL(base).href)) as { verifyEvidence: Verify });
  return {
    'this thread': verifyEvidence,
    [`${processors} threads`]: (files, options) => verifyEvidence(files, { ...options, threads: processors }),
    ...(other && { base: other.verifyEvidence }),
  };
}

/** Prints for each verifier what it takes, and its ratio to the bare signatures that were checked just before. */
async function compare(path: string, records: readonly StoredRecord[], all: Awaited<ReturnType<typeof verifiers>>): Promise<void> {
  const measured = new Map(
    Object.keys(all).map((name) => [name, { ratios: [] as number[], rates: [] as number[], seconds: [] as number[] }]),
  );
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, verify] of Object.entries(all)) {
      const bareRate = await bareSignatures(records.slice(0, 4000));
      let exit = -1;
      const { processor, wall } = await timed(async () => {
        ({ exit } = await verify([evidenceFile(path)], { key: { name: 'svc.example', publicKey: signer.publicKey } }));
      });
      if (exit !== 0) throw new Error(`${path} does not verify`);
      const rate = records.length / processor;
      measured.get(name)?.rates.push(rate);
      measured.get(name)?.ratios.push(rate / bareRate);
      measured.get(name)?.seconds.push(wall);
    }
  for (const [name, { ratios, rates, seconds }] of measured)
    console.log(
      `  ${name.padEnd(12)} ${Math.round(median(rates))} records per processor second, ${median(ratios).toFixed(2)} of signatures alone, ${median(seconds).toFixed(2)} s`,
    );
}

/** @returns signatures per second of processor time */
async function bareSignatures(records: readonly StoredRecord[]): Promise<number> {
  const key = publicKeyOf(signer.publicKey);
  const { processor } = await timed(async () => {
    for (const record of records) verifySignature(signedText(record.hash), record.sig, key);
  });
  return records.length / processor;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
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

/** Seconds; those of processor time are what a core takes, however busy the machine is. */
async function timed(work: () => Promise<void>): Promise<{ processor: number; wall: number }> {
  const started = process.cpuUsage();
  const begun = performance.now();
  await work();
  const { user, system } = process.cpuUsage(started);
  return { processor: (user + system) / 1e6, wall: (performance.now() - begun) / 1000 };
}
