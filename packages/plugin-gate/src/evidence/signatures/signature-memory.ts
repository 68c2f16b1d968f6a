import { createHash } from 'node:crypto';
import { keyIdOf } from '../../keys/index.js';
import type { RecordHeader, StoredRecord } from '../record.js';
import { type SignatureThreads, signatureThreads } from './signature-threads.js';

/** From which record on a key signs. */
export interface Reign {
  from: number;
  keyId: string;
  /** Raw key, base64url. */
  publicKey: string;
}

/** Verifies the signatures of ranges, and remembers what it has verified, so that each signature is verified once in a process. */
export interface SignatureMemory {
  /** @param reigns the keys of the chain, in the order of their records */
  range(reigns: readonly Reign[]): RangeSignatures;
  stop(): Promise<void>;
}

/** The signatures of one range of records. */
export interface RangeSignatures {
  /** The next record of the range. */
  add(record: StoredRecord, header: RecordHeader): void;
  /** @returns the number of the first record whose signature does not verify under the key in force; null: all do */
  brokenAt(): Promise<number | null>;
}

/**
 * Records of one block. A whole block that has verified is remembered by a digest of its hashes and signatures (32 bytes), so that
 * a signature that is changed later is found. What a range has of blocks at its ends is verified each time.
 */
const BLOCK = 256;

/** Two: more would take processors from the decisions. */
const THREADS = 2;

export function signatureMemory(threads: SignatureThreads = signatureThreads(THREADS)): SignatureMemory {
  const verified = new Map<number, string>();
  return {
    range: (reigns) => {
      const blocks: Promise<number | null>[] = [];
      let block: Signed[] = [];
      const endBlock = () => {
        if (block.length > 0) blocks.push(check(block, reigns, verified, threads));
        // Awaited when the range has ended; a failure must not count as unhandled until then.
        blocks.at(-1)?.catch(() => undefined);
        block = [];
      };
      return {
        add: ({ seq, hash, sig }, { key_id }) => {
          const last = block.at(-1);
          if (last !== undefined && blockOf(last.seq) !== blockOf(seq)) endBlock();
          block.push({ seq, hash, sig, keyId: key_id });
        },
        brokenAt: async () => {
          endBlock();
          const broken = (await Promise.all(blocks)).filter((seq) => seq !== null);
          return broken.length === 0 ? null : Math.min(...broken);
        },
      };
    },
    stop: () => threads.stop(),
  };
}

/** The keys that the records of a chain introduce. @param records those of the types `genesis` and `key`, in their order */
export async function reignsOf(records: AsyncIterable<readonly StoredRecord[]>): Promise<Reign[]> {
  const reigns: Reign[] = [];
  for await (const batch of records)
    for (const { seq, type, data } of batch) {
      const { event, public_key: publicKey } = JSON.parse(data ?? '{}');
      if (typeof publicKey !== 'string' || (type === 'key' && event !== 'rotated')) continue;
      // The old key signs the record of the rotation; the new one signs from the next on.
      reigns.push({ from: type === 'key' ? seq + 1 : seq, keyId: keyIdOf(publicKey), publicKey });
    }
  return reigns;
}

interface Signed {
  seq: number;
  hash: string;
  sig: string;
  keyId: string;
}

function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK);
}

/** Nearly always a block has one key; where another one begins to sign, each part is verified by itself. */
async function check(
  block: readonly Signed[],
  reigns: readonly Reign[],
  verified: Map<number, string>,
  threads: SignatureThreads,
): Promise<number | null> {
  const number = blockOf(block[0]?.seq ?? 0);
  const digest = block.length === BLOCK ? digestOf(block) : undefined;
  if (digest !== undefined && verified.get(number) === digest) return null;
  for (const [reign, signed] of Map.groupBy(block, ({ seq }) => reigns.findLast(({ from }) => from <= seq))) {
    const stranger = signed.find(({ keyId }) => keyId !== reign?.keyId);
    if (reign === undefined || stranger !== undefined) return stranger?.seq ?? signed[0]?.seq ?? null;
    const request = { publicKey: reign.publicKey, hashes: signed.map(({ hash }) => hash), signatures: signed.map(({ sig }) => sig) };
    const [invalid] = await threads.invalid(request);
    if (invalid !== undefined) return signed[invalid]?.seq ?? null;
  }
  if (digest !== undefined) verified.set(number, digest);
  return null;
}

function digestOf(block: readonly Signed[]): string {
  const digest = createHash('sha256');
  for (const { hash, sig, keyId } of block) digest.update(`${hash} ${sig} ${keyId}\n`);
  return digest.digest('base64');
}
