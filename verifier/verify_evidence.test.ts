import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHAIN_ID,
  firstKey,
  inBatches,
  joinChunks,
  newChain,
  ORIGIN,
  richChain,
  secondKey,
} from '../packages/plugin-gate/src/evidence/chain.test-support.js';
import { checkpointNote } from '../packages/plugin-gate/src/evidence/checkpoint.js';
import { exportCsv } from '../packages/plugin-gate/src/evidence/export/csv.js';
import { exportJsonl } from '../packages/plugin-gate/src/evidence/export/jsonl.js';
import { exportOscal } from '../packages/plugin-gate/src/evidence/export/oscal.js';
import { oscalSettings } from '../packages/plugin-gate/src/evidence/export/oscal-settings.js';
import { markData } from '../packages/plugin-gate/src/evidence/format/index.js';
import type { StoredRecord } from '../packages/plugin-gate/src/evidence/record.js';
import { inclusionProof, tlogProof } from '../packages/plugin-gate/src/evidence/tree-proof.js';
import { damagedCopies } from '../packages/plugin-gate/src/evidence/verify/damage.test-support.js';
import { differential } from '../packages/plugin-gate/src/evidence/verify/python.test-support.js';

describe('the verifier in Python', () => {
  const chain = richChain();
  const settings = oscalSettings({ version: '1.1.2', controls: ['AC-3'], system_id: 'a b' }, CHAIN_ID, [
    { id: 'prod-needs-human', controls: ['CM-3', 'AC-3'] },
  ]);
  let folder = '';
  let both: ReturnType<typeof differential>;
  let exports: { [format: string]: string };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verify-'));
    both = differential(folder);
    exports = {
      jsonl: await joinChunks(exportJsonl(inBatches(chain.records))),
      csv: await joinChunks(exportCsv(inBatches(chain.records))),
      oscal: await joinChunks(exportOscal(() => inBatches(chain.records), settings)),
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['jsonl', 'csv', 'oscal'])('says the same of a good chain as %s', async (format) => {
    expect(await both([exports[format] ?? ''])).toMatchObject({ result: 'ok', contradictions: 1, erased_records: 1 });
  });

  it('says the same of a verdict that stands twice', async () => {
    const lines = (exports.jsonl ?? '').split('\n');
    const verdict = lines.findIndex((line) => line.includes('"type":"verdict"'));
    const report = await both([lines.toSpliced(verdict, 0, lines[verdict] ?? '').join('\n')]);
    expect(report).toMatchObject({ failures: expect.arrayContaining([expect.objectContaining({ code: 'second-verdict' })]) });
  });

  it('says the same of a row whose cells are no text', async () => {
    const bytes = Buffer.from(exports.csv ?? '');
    bytes[bytes.indexOf('"ci-main"') + 1] = 0xff;
    expect(await both([bytes])).toMatchObject({ result: 'failed', failures: [{ code: 'malformed' }] });
  });

  it('says the same of a part, of several files, and of anchors', async () => {
    const note = checkpointNote(chain.head, ORIGIN, secondKey);
    const proof = tlogProof(12, await inclusionProof(12, chain.records.length, inBatches(chain.records)), note);
    const part = await joinChunks(exportOscal(() => inBatches(chain.records.slice(9)), { ...settings, next_from: 30 }));
    expect(await both([part], { key: secondKey, notes: [proof] })).toMatchObject({ result: 'ok', anchored_to: 12 });
    const files = [chain.records.slice(0, 4), chain.records.slice(4)].map((records) => joinChunks(exportJsonl(inBatches(records))));
    expect(await both(await Promise.all(files), { notes: [note], flags: ['--require-anchor'] })).toMatchObject({ anchored: true });
    expect(await both([exports['jsonl'] ?? ''], { notes: [checkpointNote(newChain({ dev: true }).head, ORIGIN, firstKey)] })).toMatchObject(
      { exit: 1 },
    );
  });

  it('says the same of several final results, of erasures, and of marks', async () => {
    const withoutData = (records: readonly StoredRecord[], seqs: readonly number[]) =>
      records.map((record) => (seqs.includes(record.seq) ? { ...record, data: null, salt: null } : record));
    const old = newChain({ format: 1 });
    const seq = old.decide('p-1');
    for (let n = 0; n < 3; n++) old.report('p-1', seq);
    const faults = [
      { kind: 'unexplained-erasure', seq: 1 },
      { kind: 'second-final', seq: 4 },
      ...Array.from({ length: 1000 }, () => ({ kind: 'second-final', seq: 0 }) as const),
    ] as const;
    for (const data of markData(faults)) old.append('admin_action', data, { reportedBy: 'system' });
    old.decide('p-2');
    old.append('admin_action', { action: 'config.load' });
    for (const [part, erased] of [
      [1, { seq: 8 }],
      [2, { seq: 4.5 }],
      [3, { seq: 99 }],
    ] as const)
      old.append('admin_action', { action: 'evidence.erase', part, ...erased });
    old.append('admin_action', { ...markData([])[0], part: 2, parts: 3 });
    const records = withoutData(old.records, [1, 2, 8, 10]);
    const lines = (some: readonly StoredRecord[]) => joinChunks(exportJsonl(inBatches(some)));
    const note = checkpointNote(old.head, ORIGIN, firstKey);
    expect(await both([await lines(records)], { notes: [note] })).toMatchObject({
      exit: 1,
      known_faults: [{ seq: 1 }, { seq: 4 }],
      unexplained_erasures: [2, 10],
      failures: expect.arrayContaining(['format', 'second-final', 'unexplained-erasure'].map((code) => expect.objectContaining({ code }))),
    });
    expect(await both([await lines(records.slice(0, 6))], { notes: [note], flags: ['--partial'] })).toMatchObject({ reaches_end: false });
    expect(await both([await lines(records.slice(0, 6))], { notes: [note] })).toMatchObject({ exit: 1 });
    // A mark whose second part is erased, and a range that begins with it.
    expect(await both([await lines(withoutData(records, [7]))], { notes: [note] })).toMatchObject({ exit: 1 });
    expect(await both([await lines(records.slice(7))])).toMatchObject({ range: { from: 7 } });
    const document = (head: number) => joinChunks(exportOscal(() => inBatches(records), { ...settings, head }));
    expect(await both([await document(old.head.seq)])).toMatchObject({ reaches_end: true });
    expect(await both([await document(old.head.seq + 1)])).toMatchObject({ reaches_end: false });
    expect(await both([(await document(3)).replace('\\"head\\":3', '\\"head\\":null')])).toMatchObject({ exit: 1 });
  });

  it.each(['schema-1', 'schema-1-faults'])('says the same of %s, which version 0.1.0 wrote', async (name) => {
    const previous = (type: string) =>
      readFileSync(new URL(`../packages/plugin-gate/src/store/testing/previous/${name}.${type}`, import.meta.url), 'utf8');
    const note = previous('checkpoint');
    const [origin = ''] = note.split('\n');
    for (const type of ['jsonl', 'oscal'])
      expect(await both([previous(type)], { origin, notes: [note] })).toMatchObject({ exit: name === 'schema-1' ? 0 : 1, anchored: true });
  });

  it('says the same of development keys, revoked keys, wrong keys and records that do not fit each other', async () => {
    const dev = newChain({ dev: true });
    const seq = dev.decide('p-1', { replica: 'a', n: 2 });
    dev.decide('p-1');
    dev.report('p-1', seq + 1);
    dev.rotate(secondKey);
    dev.append('key', { event: 'revoked', key_id: firstKey.keyId, from_seq: 2, reason: 'lost' });
    dev.append('key', { event: 'rotated' });
    dev.append('verdict', { proposal_seq: 3.5 });
    const text = await joinChunks(exportJsonl(inBatches(dev.records)));
    expect(await both([text])).toMatchObject({ exit: 1, failure_count: 7 });
    expect(await both([text], { flags: ['--allow-dev'] })).toMatchObject({ exit: 1, failure_count: 5 });
    expect(await both([exports['csv'] ?? ''], { key: { ...firstKey, publicKey: 'A'.repeat(43) } })).toMatchObject({ exit: 1 });
  });

  it.each(['jsonl', 'csv', 'oscal'])('says the same of %s with any damage', async (format) => {
    const bytes = Buffer.from(exports[format] ?? '');
    await fc.assert(
      fc.asyncProperty(damagedCopies(bytes), async (file) => {
        await both([file]);
      }),
      { numRuns: 4 },
    );
  });
});
