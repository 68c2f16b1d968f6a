import type { Signer } from '../keys/index.js';
import { type Note, readNote, signNote } from './note.js';
import type { ChainHead } from './record.js';
import { treeRoot } from './tree.js';

/** What a checkpoint (c2sp.org/tlog-checkpoint) says: the tree over the first `size` records of a chain has this root. */
export interface Checkpoint {
  /** Which chain it is of. */
  origin: string;
  size: number;
  /** Hex. */
  root: string;
  /** Hash of the last of these records; undefined in checkpoints of earlier versions. */
  head: string | undefined;
  note: Note;
}

/**
 * A checkpoint of the whole chain up to the head, signed under the name of its origin. An extension line, which every reader of
 * checkpoints passes over, keeps the hash of the head: a store finds by it that it has other records, without reading them all.
 */
export function checkpointNote(head: ChainHead, origin: string, signer: Signer): string {
  const root = Buffer.from(treeRoot(head), 'hex').toString('base64');
  return signNote(`${origin}\n${head.seq + 1}\n${root}\nhead ${head.hash}\n`, origin, signer);
}

/** What a chain signs its checkpoints as, unless `evidence.origin` says otherwise. */
export function defaultOrigin(chainId: string): string {
  return `svc.example/${chainId}`;
}

/**
 * Reads a checkpoint. Whose signatures it has is another question: see `isSignedBy`.
 * @throws {TypeError} when it is not a checkpoint; the message says why
 */
export function readCheckpoint(text: string): Checkpoint {
  const note = readNote(text);
  const [origin = '', size = '', root = '', ...extensions] = note.text.split('\n');
  const bytes = Buffer.from(root, 'base64');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || bytes.length !== 32 || bytes.toString('base64') !== root)
    throw new TypeError('The note is not a checkpoint. Expected an origin, a size, and a base64 SHA-256 root, one per line.');
  if (!Number.isSafeInteger(Number(size))) throw new TypeError('The size in the checkpoint must be a number of records.');
  const [, head] = /^head ([0-9a-f]{64})$/m.exec(extensions.join('\n')) ?? [];
  return { origin, size: Number(size), root: bytes.toString('hex'), head, note };
}
