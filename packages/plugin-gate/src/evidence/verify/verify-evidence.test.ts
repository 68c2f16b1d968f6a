import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAIN_ID, firstKey, inBatches, joinChunks, memoryFile, newChain, ORIGIN, richChain, secondKey } from '../chain.test-support.js';
import { checkpointNote } from '../checkpoint.js';
import { exportCsv } from '../export/csv.js';
import { exportJsonl } from '../export/jsonl.js';
import { exportOscal } from '../export/oscal.js';
import { oscalSettings } from '../export/oscal-settings.js';
import { markData } from '../format/index.js';
import type { StoredRecord } from '../record.js';
import { recordLine } from '../record-line.js';
import { sealRecords } from '../seal.js';
import { inclusionProof, tlogProof } from '../tree-proof.js';
import { readAnchor } from './anchors.js';
import { flipped } from './damage.test-support.js';
import type { ReadableReport, VerifyReport } from './report.js';
import { type VerifyOptions, verifyEvidence } from './verify-evidence.js';

const key = { name: ORIGIN, publicKey: firstKey.publicKey };
const settings = oscalSettings({ version: '1.1.2', controls: ['AC-3', 'AU-2(1)'] }, CHAIN_ID, [
  { id: 'prod-needs-human', controls: ['CM-3'] },
]);

/** The three forms of an export. */
const FORMATS = {
  jsonl: (records: readonly StoredRecord[]) => joinChunks(exportJsonl(inBatches(records))),
  csv: (records: readonly StoredRecord[]) => joinChunks(exportCsv(inBatches(records))),
  oscal: (records: readonly StoredRecord[]) => joinChunks(exportOscal(() => inBatches(records), settings)),
} as const;
const formats = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

const verify = (content: string | Uint8Array, options: Partial<VerifyOptions> = {}) =>
  verifyEvidence([memoryFile('export', content)], { key, ...options });

const codesOf = (report: VerifyReport) => (report.result === 'unusable' ? ['unusable'] : report.failures.map(({ code }) => code));

function readable(report: VerifyReport): ReadableReport {
  if (report.result === 'unusable') throw new Error(report.reason);
  return report;
}

const linesOf = (records: readonly StoredRecord[]) => records.map((record) => `${recordLine(record)}\n`).join('');

describe('verifying evidence', () => {
  const chain = richChain();

  it.each(formats)('accepts a whole chain as %s, and says what is in it', async (format) => {
    const report = readable(await verify(await FORMATS[format](chain.records)));
    expect(report.failures).toEqual([]);
    expect(report).toMatchObject({
      result: 'ok',
      exit: 0,
      chain_id: CHAIN_ID,
      range: { from: 0, to: chain.head.seq, records: chain.records.length, last_hash: chain.head.hash },
      anchored: false,
      records_by_type: { genesis: 1, proposal: 5, verdict: 5, approval: 2, result: 2, admin_action: 3, key: 1 },
      erased_records: 1,
      unexplained_erasures: [],
      contradictions: 1,
      bundles: [`sha256:${'ab'.repeat(32)}`],
    });
    expect(report.keys.map(({ key_id }) => key_id)).toEqual([firstKey.keyId, secondKey.keyId]);
  });

  it.each(formats)('accepts a part of a chain as %s under the key in force there', async (format) => {
    const report = await verify(await FORMATS[format](chain.records.slice(9)), { key: { name: ORIGIN, publicKey: secondKey.publicKey } });
    expect(codesOf(report)).toEqual([]);
    expect(report).toMatchObject({ chain_id: null, root: null, range: { from: 9 } });
  });

  it('accepts a later key of the chain as the pinned one', async () => {
    expect(await verify(linesOf(chain.records), { key: { name: ORIGIN, publicKey: secondKey.publicKey } })).toMatchObject({ exit: 0 });
  });

  it('takes several files as one range', async () => {
    const files = [memoryFile('a', linesOf(chain.records.slice(0, 5))), memoryFile('b', linesOf(chain.records.slice(5)))];
    expect(await verifyEvidence(files, { key })).toMatchObject({ exit: 0, range: { records: chain.records.length } });
  });

  it('refuses a key that the chain does not have', async () => {
    const stranger = { name: ORIGIN, publicKey: 'A'.repeat(43) };
    expect(codesOf(await verify(linesOf(chain.records), { key: stranger }))).toEqual(['pinned-key']);
    expect(codesOf(await verify(linesOf(chain.records.slice(3)), { key: stranger }))).toEqual(['pinned-key']);
  });

  it('refuses a chain that was made anew with another key under the same name', async () => {
    const { records } = sealRecords(
      undefined,
      [{ type: 'genesis', time: '2026-01-02T03:04:05.678Z', dev: false, reportedBy: 'system', data: '{}' }],
      secondKey,
      () => Buffer.alloc(16),
    );
    expect(codesOf(await verify(linesOf(records)))).toEqual(['genesis']);
  });

  it('refuses evidence of a development key unless it is asked for', async () => {
    const dev = newChain({ dev: true });
    dev.decide('p-1');
    expect(codesOf(await verify(linesOf(dev.records)))).toEqual(['dev-key']);
    expect(await verify(linesOf(dev.records), { allowDev: true })).toMatchObject({ exit: 0, dev_records: 3 });
  });

  it('says what a stolen key could have written', async () => {
    const stolen = newChain();
    stolen.decide('p-1');
    stolen.rotate(secondKey);
    stolen.append('key', { event: 'revoked', key_id: firstKey.keyId, from_seq: 2, reason: 'laptop lost' });
    expect(await verify(linesOf(stolen.records))).toMatchObject({
      exit: 0,
      revoked: [{ key_id: firstKey.keyId, from: 2, to: 3, reason: 'laptop lost' }],
    });
  });

  it('refuses records that the old key signed after its rotation', async () => {
    const copy = newChain();
    copy.rotate(secondKey);
    const { records } = sealRecords(
      copy.head,
      [{ type: 'admin_action', time: '2026-01-02T03:04:05.678Z', dev: false, reportedBy: 'x', data: '{}' }],
      firstKey,
      () => Buffer.alloc(16),
    );
    expect(codesOf(await verify(linesOf([...copy.records, ...records])))).toEqual(['key-id']);
  });

  it('refuses a rotation that the new key did not sign', async () => {
    const copy = newChain();
    copy.append('key', {
      event: 'rotated',
      chain_id: CHAIN_ID,
      public_key: secondKey.publicKey,
      key_id: secondKey.keyId,
      proof: 'A'.repeat(86),
      reason: '',
    });
    expect(codesOf(await verify(linesOf(copy.records)))).toEqual(['key-record']);
  });

  describe('what records say of each other', () => {
    it('finds a verdict without its proposal, and a proposal without its verdict', async () => {
      const copy = newChain();
      copy.append('proposal', { proposal: { id: 'p-1' } });
      copy.append('admin_action', {});
      copy.append('verdict', { proposal_id: 'p-1', proposal_seq: 2 });
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual(['verdict-order', 'verdict-order']);
    });

    it('finds an id that was decided twice', async () => {
      const copy = newChain();
      copy.decide('p-1');
      copy.decide('p-1');
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual(['second-verdict']);
    });

    it('finds a result that belongs to no verdict', async () => {
      const copy = newChain();
      const seq = copy.decide('p-1');
      copy.report('p-1', seq - 1);
      copy.report('p-2', seq);
      copy.report('p-1', 99);
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual(['result-verdict', 'result-verdict', 'result-verdict', 'second-final']);
    });

    it('finds a hole in the numbers of a replica, and lets an erased record explain one', async () => {
      const copy = newChain();
      copy.decide('p-1', { replica: 'a', n: 1 });
      copy.decide('p-2', { replica: 'b', n: 1 });
      copy.decide('p-3', { replica: 'a', n: 2 });
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual([]);
      copy.erase(5);
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual([]);
      copy.decide('p-4', { replica: 'b', n: 3 });
      copy.decide('p-5', { replica: 'c', n: 2 });
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual(['origin']);
    });

    it('finds a second final result, and lets a report that is deferred come before it', async () => {
      const copy = newChain();
      const seq = copy.decide('p-1');
      copy.append('result', { proposal_id: 'p-1', verdict_seq: seq, status: 'deferred' });
      copy.report('p-1', seq);
      expect(codesOf(await verify(linesOf(copy.records)))).toEqual([]);
      const { seq: second } = copy.report('p-1', seq);
      expect(await verify(linesOf(copy.records))).toMatchObject({ exit: 1, failures: [{ code: 'second-final', seq: second }] });
    });
  });

  describe('checkpoints', () => {
    const early = newChain();
    early.decide('p-1');
    const note = checkpointNote(early.head, ORIGIN, firstKey);
    const lines = linesOf(early.records);
    early.decide('p-2');
    const all = linesOf(early.records);
    const anchors = (text: string) => ({ anchors: [readAnchor('note', text)] });

    it('anchors a range by a checkpoint of any size within it', async () => {
      expect(await verify(lines, anchors(note))).toMatchObject({
        anchored: true,
        anchored_to: 2,
        checkpoints: [{ size: 3, status: 'matches' }],
      });
      expect(await verify(all, anchors(note))).toMatchObject({ anchored: true, anchored_to: 2 });
    });

    it('fails on one of another chain under the same key, and on one that is not signed', async () => {
      const other = newChain();
      other.decide('p-9');
      expect(codesOf(await verify(lines, anchors(checkpointNote(other.head, ORIGIN, firstKey))))).toEqual(['checkpoint']);
      expect(codesOf(await verify(lines, anchors(checkpointNote(early.head, ORIGIN, secondKey))))).toEqual(['checkpoint-signature']);
      expect(codesOf(await verify(lines, anchors(checkpointNote(early.head, 'other.example', firstKey))))).toEqual([
        'checkpoint-signature',
      ]);
    });

    it('shows a tail that was cut off', async () => {
      const later = checkpointNote(early.head, ORIGIN, firstKey);
      expect(await verify(lines, anchors(later))).toMatchObject({ exit: 1, anchored: false, checkpoints: [{ status: 'outside' }] });
      expect(codesOf(await verify(lines, { ...anchors(later), requireAnchor: true }))).toEqual(['checkpoint-outside', 'not-anchored']);
    });

    it('shows a tail that was cut off also when another checkpoint is reached', async () => {
      const both = [note, checkpointNote(early.head, ORIGIN, firstKey)].map((text) => readAnchor('note', text));
      const report = await verify(lines, { anchors: both });
      expect(report).toMatchObject({ exit: 1, anchored: true, checkpoints: [{ status: 'matches' }, { status: 'outside' }] });
      expect(codesOf(report)).toEqual(['checkpoint-outside']);
    });

    it('does not demand of a part that it reaches a checkpoint or the record of a proof, if it is told that it is one', async () => {
      const later = checkpointNote(early.head, ORIGIN, firstKey);
      expect(await verify(lines, { ...anchors(later), partial: true })).toMatchObject({ exit: 0, anchored: false });
      const middle = linesOf(early.records.slice(1, 3));
      expect(codesOf(await verify(middle, anchors(note)))).toEqual(['checkpoint-outside']);
      expect(codesOf(await verify(middle, { ...anchors(note), partial: true }))).toEqual([]);
      const proof = tlogProof(4, await inclusionProof(4, 5, inBatches(early.records)), later);
      expect(codesOf(await verify(lines, anchors(proof)))).toEqual(['checkpoint-outside']);
      expect(codesOf(await verify(lines, { ...anchors(proof), partial: true }))).toEqual([]);
    });

    it('anchors a part of a chain by the proof of one of its records', async () => {
      const proof = await inclusionProof(4, 5, inBatches(early.records));
      const text = tlogProof(4, proof, checkpointNote(early.head, ORIGIN, firstKey));
      const part = linesOf(early.records.slice(2));
      expect(await verify(part, anchors(text))).toMatchObject({ exit: 0, anchored: true, anchored_to: 4 });
      expect(codesOf(await verify(part, anchors(text.replace('index 4', 'index 3'))))).toEqual(['checkpoint']);
    });
  });

  describe('erased records', () => {
    const erase = (records: readonly StoredRecord[], seqs: readonly number[]) =>
      records.map((record) => (seqs.includes(record.seq) ? { ...record, data: null, salt: null } : record));
    const forged = newChain();
    forged.decide('p-1');
    const note = checkpointNote(forged.head, ORIGIN, firstKey);
    forged.decide('p-2');
    const bare = erase(forged.records, [2, 4]);

    it('without an act that names them are a warning while the chain may go on after the range', async () => {
      const report = await verify(linesOf(bare));
      expect(report).toMatchObject({ exit: 0, reaches_end: false, erased_records: 2, unexplained_erasures: [2, 4] });
      expect(
        codesOf(await verify(linesOf(bare), { anchors: [readAnchor('note', checkpointNote(later(), ORIGIN, firstKey))], partial: true })),
      ).toEqual([]);
    });

    it('without an act that names them fail when the range reaches a checkpoint', async () => {
      const report = await verify(linesOf(bare), { anchors: [readAnchor('note', note)] });
      expect(report).toMatchObject({ exit: 1, anchored: true, reaches_end: true });
      expect(codesOf(report)).toEqual(['unexplained-erasure', 'unexplained-erasure']);
    });

    it('without an act that names them fail when the range reaches the head that an OSCAL document states', async () => {
      const document = (head: number | undefined) => joinChunks(exportOscal(() => inBatches(bare), { ...settings, ...(head && { head }) }));
      expect(codesOf(await verify(await document(4)))).toEqual(['unexplained-erasure', 'unexplained-erasure']);
      expect(await verify(await document(5))).toMatchObject({ exit: 0, unexplained_erasures: [2, 4] });
      expect(await verify(await document(undefined))).toMatchObject({ exit: 0, reaches_end: false });
    });

    it('are all looked at, however many there are', async () => {
      const many = newChain();
      for (let n = 0; n < 1200; n++) many.append('approval', { approval_id: `apr_${n}`, event: 'requested' });
      const all = erase(
        many.records,
        Array.from({ length: 1200 }, (_, n) => n + 1),
      );
      const whole = checkpointNote(many.head, ORIGIN, firstKey);
      const report = readable(await verify(linesOf(all), { anchors: [readAnchor('note', whole)] }));
      expect(report.failure_count).toBe(1200);
      expect(report.unexplained_erasures).toEqual(Array.from({ length: 1200 }, (_, n) => n + 1));
    });

    it('are not explained by an act that comes before them', async () => {
      const early = newChain();
      early.append('admin_action', { action: 'evidence.erase', seq: 2, operator: 'root', reason: 'to come' });
      early.decide('p-1');
      const whole = readAnchor('note', checkpointNote(early.head, ORIGIN, firstKey));
      expect(codesOf(await verify(linesOf(erase(early.records, [2])), { anchors: [whole] }))).toEqual(['unexplained-erasure']);
    });

    it('are not explained by an act that is erased itself, and never are genesis or a key', async () => {
      const copy = newChain();
      copy.decide('p-1');
      copy.erase(1);
      copy.rotate(secondKey);
      const whole = { anchors: [readAnchor('note', checkpointNote(copy.head, ORIGIN, secondKey))] };
      const failuresOf = async (seq: number) =>
        readable(await verify(linesOf(erase(copy.records, [seq])), whole)).failures.map((failure) => `${failure.code} ${failure.seq}`);
      expect(await failuresOf(3)).toEqual(['unexplained-erasure 1', 'unexplained-erasure 3']);
      expect(await failuresOf(4)).toContain('key-record 4');
      expect(await failuresOf(0)).toContain('genesis 0');
    });

    function later() {
      const more = newChain();
      for (let n = 0; n < 9; n++) more.append('admin_action', { n });
      return more.head;
    }
  });

  describe('the format mark', () => {
    const old = newChain({ format: 1 });
    const seq = old.decide('p-1');
    old.report('p-1', seq);
    old.report('p-1', seq);
    old.records = old.records.map((record) => (record.seq === 1 ? { ...record, data: null, salt: null } : record));
    const unmarked = linesOf(old.records);
    for (const data of markData([
      { kind: 'unexplained-erasure', seq: 1 },
      { kind: 'second-final', seq: 4 },
    ]))
      old.append('admin_action', data, { reportedBy: 'system' });
    const whole = { anchors: [readAnchor('note', checkpointNote(old.head, ORIGIN, firstKey))] };

    it('makes the faults that it lists findings that do not fail', async () => {
      expect(await verify(linesOf(old.records), whole)).toMatchObject({
        exit: 0,
        unexplained_erasures: [],
        known_faults: [
          { kind: 'unexplained-erasure', seq: 1 },
          { kind: 'second-final', seq: 4 },
        ],
      });
    });

    it('leaves every other fault a failure, before it and after it', async () => {
      expect(codesOf(await verify(unmarked))).toEqual(['second-final']);
      const more = newChain({ format: 1 });
      const again = more.decide('p-1');
      for (let n = 0; n < 3; n++) more.report('p-1', again);
      for (const data of markData([{ kind: 'second-final', seq: 4 }])) more.append('admin_action', data, { reportedBy: 'system' });
      more.report('p-1', again);
      expect(await verify(linesOf(more.records))).toMatchObject({
        exit: 1,
        known_faults: [{ kind: 'second-final', seq: 4 }],
        failures: [
          { code: 'second-final', seq: 5 },
          { code: 'second-final', seq: 7 },
        ],
      });
    });

    it('is set once', async () => {
      const twice = newChain();
      for (const data of markData([])) twice.append('admin_action', data);
      expect(codesOf(await verify(linesOf(twice.records)))).toEqual(['format']);
    });
  });

  describe('what version 0.1.0 wrote', () => {
    const previous = (name: string) => readFileSync(new URL(`../../store/testing/previous/${name}`, import.meta.url), 'utf8');
    const verifyPrevious = (name: string, content: string, partial = false) => {
      const anchor = readAnchor('note', previous(`${name}.checkpoint`));
      return verify(content, { key: { name: anchor.checkpoint.origin, publicKey: firstKey.publicKey }, anchors: [anchor], partial });
    };

    it.each(['jsonl', 'oscal'])('verifies as %s', async (format) => {
      expect(await verifyPrevious('schema-1', previous(`schema-1.${format}`))).toMatchObject({
        exit: 0,
        anchored: true,
        erased_records: 1,
        unexplained_erasures: [],
        known_faults: [],
      });
    });

    it.each(['jsonl', 'oscal'])('fails as %s where it holds several final results and erasures that nothing explains', async (format) => {
      const report = readable(await verifyPrevious('schema-1-faults', previous(`schema-1-faults.${format}`)));
      expect(report.failures.map(({ code, seq }) => `${code} ${seq}`)).toEqual([
        'second-final 16',
        'second-final 17',
        'unexplained-erasure 18',
        'unexplained-erasure 20',
      ]);
    });
  });

  describe('damage', () => {
    it.each(formats)('finds any single bit that is flipped in %s', async (format) => {
      const bytes = Buffer.from(await FORMATS[format](chain.records));
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
          expect((await verify(flipped(bytes, bit))).exit).not.toBe(0);
        }),
        { numRuns: 150 },
      );
    });

    it.each(formats)('finds any record that is dropped, doubled, moved or put in, in %s', async (format) => {
      const note = readAnchor('note', checkpointNote(chain.head, ORIGIN, secondKey));
      const foreign = newChain();
      for (let n = 0; n < 12; n++) foreign.decide(`f-${n}`);
      const place = fc.nat(chain.records.length - 1);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom('drop', 'double', 'swap', 'put in'), place, place, async (damage, a, b) => {
          const records = [...chain.records];
          const [one, other] = [records[a], records[b]] as [StoredRecord, StoredRecord];
          if (damage === 'drop') records.splice(a, 1);
          if (damage === 'double') records.splice(b, 0, one);
          if (damage === 'put in') records.splice(a, 0, foreign.records[b + 1] as StoredRecord);
          if (damage === 'swap') [records[a], records[b]] = [other, one];
          fc.pre(damage !== 'swap' || a !== b);
          expect((await verify(await FORMATS[format](records), { anchors: [note], requireAnchor: true })).exit).not.toBe(0);
        }),
        { numRuns: 100 },
      );
    });

    it('finds a signature that was written in another way', async () => {
      const line = linesOf(chain.records.slice(0, 1));
      const [, last = ''] = /"sig":"[A-Za-z0-9_-]{85}(.)"/.exec(line) ?? [];
      const same = String.fromCharCode(last.charCodeAt(0) + 1);
      expect((await verify(line.replace(`${last}","time"`, `${same}","time"`))).exit).not.toBe(0);
    });
  });

  describe('hostile files', () => {
    const good = linesOf(chain.records);
    it.each([
      ['an empty file', ''],
      ['no evidence', 'hello\n'],
      ['binary data', Buffer.from([0, 255, 128, 10, 13])],
      ['a line without end', `{"data":"${'x'.repeat(5 * 1024 * 1024)}`],
      ['an OSCAL document of another program', '{"assessment-results":{"uuid":"x"}}'],
      ['csv of another program', '"seq","name"\r\n"1","x"\r\n'],
      ['a first line that is no record', '{"data":1}\n'],
    ])('says that %s cannot be used', async (_, content) => {
      const report = await verify(content);
      expect(report).toMatchObject({ result: 'unusable', exit: 2 });
      expect(JSON.stringify(report)).not.toContain('xxx');
    });

    it.each([
      ['a line of junk', `${good}junk\n`],
      ['an empty line', `${good}\n`],
      ['a line that is cut', good.slice(0, -20)],
      ['line ends of another system', good.replaceAll('\n', '\r\n')],
      ['deep nesting', `${good}{"data":${'['.repeat(100_000)}\n`],
      ['a byte that is no UTF-8', Buffer.concat([Buffer.from(good), Buffer.from([0x7b, 0x22, 0xff, 0x0a])])],
    ])('stops at %s, and says where', async (_, content) => {
      const report = await verify(content);
      if (report.result === 'unusable') expect(report.reason).toBe('The first line is not an evidence record.');
      else expect(report.failures).toMatchObject([{ code: 'malformed', line: expect.any(Number) }]);
    });
  });
});
