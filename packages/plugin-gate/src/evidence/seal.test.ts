import { describe, expect, it } from 'vitest';
import { canonical } from '../json/index.js';
import { publicKeyOf, signerFromSeed, verifySignature } from '../keys/index.js';
import type { Draft } from './record.js';
import { recordLine } from './record-line.js';
import { sealRecords, signedText } from './seal.js';
import { treeRoot } from './tree.js';

/** Key, salt and time of the published vectors. */
const signer = signerFromSeed(Uint8Array.from({ length: 32 }, (_, i) => i));
const salt = () => new Uint8Array(16).fill(0xaa);
const draft = (type: Draft['type'], data: string, reportedBy = 'ci-main'): Draft => ({
  type,
  time: '2026-01-02T03:04:05.678Z',
  dev: false,
  reportedBy,
  data,
});
const genesis = draft('genesis', '{"chain_id":"00000000-0000-4000-8000-000000000000"}', 'system');

describe('sealing records', () => {
  it('gives the published hashes for the genesis record', () => {
    const [record] = sealRecords(undefined, [genesis], signer, salt).records;
    expect(signer.keyId).toBe('56475aa75463474c0285df5dbf2bcab7');
    expect(record?.header).toContain('"data_hash":"2ce35515accfed3eb652328e9636396f21799bbc9078ea85acf6ad52b67afb76"');
    expect(record?.hash).toBe('e46566c3d26514e686df85585f2727e5ce860c936d473a742edf698a79523a62');
  });

  it('gives the published root over three records', () => {
    const { head } = sealRecords(undefined, [genesis, draft('proposal', '{"x":1}'), draft('verdict', '{"y":2}')], signer, salt);
    expect(Buffer.from(treeRoot(head), 'hex').toString('base64')).toBe('h5kM7PP0aY7Mk8GHl0D3Y5UdVDnWGWVGTv4/uo33gVk=');
  });

  it('numbers from 0 without a hole, and links each record to the hash of the one before (gate/record.1) (gate/record.2)', () => {
    const first = sealRecords(undefined, [genesis, draft('proposal', '{"x":1}')], signer, salt);
    const second = sealRecords(first.head, [draft('verdict', '{"y":2}')], signer, salt);
    const headers = [...first.records, ...second.records].map((record) => JSON.parse(record.header));
    const hashes = [...first.records, ...second.records].map((record) => record.hash);
    expect(headers.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(headers.map(({ prev_hash }) => prev_hash)).toEqual(['0'.repeat(64), hashes[0], hashes[1]]);
  });

  it('goes on from a head as if it had sealed all at once', () => {
    const drafts = Array.from({ length: 21 }, (_, i) => draft('admin_action', `{"n":${i}}`));
    const atOnce = sealRecords(undefined, [genesis, ...drafts], signer, salt);
    let head = sealRecords(undefined, [genesis], signer, salt).head;
    for (const one of drafts) head = sealRecords(head, [one], signer, salt).head;
    expect(head).toEqual(atOnce.head);
  });

  it('signs so that the public key verifies', () => {
    const [record] = sealRecords(undefined, [genesis], signer, salt).records;
    const key = publicKeyOf(signer.publicKey);
    expect(verifySignature(signedText(record?.hash ?? ''), record?.sig ?? '', key)).toBe(true);
  });

  it('writes a whole record as canonical JSON, with and without its data', () => {
    const awkward = {
      ...draft('result', '{"a\\"key_id\\":":"\\"seq\\":"}', 'operator:"key_id":,"seq":"time":\\'),
      assurance: 'self' as const,
    };
    const [record] = sealRecords(undefined, [awkward], signer, salt).records;
    if (record === undefined) throw new Error('nothing was sealed');
    for (const stored of [record, { ...record, data: null, salt: null }]) {
      const line = recordLine(stored);
      expect(canonical(JSON.parse(line))).toBe(line);
      expect(Object.keys(JSON.parse(line))).toHaveLength(14);
    }
  });
});
