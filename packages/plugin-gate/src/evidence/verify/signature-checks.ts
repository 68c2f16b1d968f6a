import { invalidSignatures } from '../signatures/invalid-signatures.js';
import { type SignatureThreads, signatureThreads } from '../signatures/signature-threads.js';

/** A signature that is to be checked: of the hash of a record, under a raw public key (base64url). */
export interface SignatureCheck {
  hash: string;
  sig: string;
  publicKey: string;
}

/**
 * Checks the signatures of records, on other threads if there are any, and hands everything on in the order of the records,
 * each with whether its signature verifies. Items wait only for the checks of signatures before them.
 */
export interface SignatureChecks<Item> {
  /** @param check absent: the item has no signature to check. @param size characters that are held until the check is under way */
  add(item: Item, check: SignatureCheck | undefined, size: number): void;
  /** Resolves when there is room for more: so many items may wait, and no more. */
  room(): Promise<void>;
  /** Hands on all items. @throws {Error} a thread has ended */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Signatures of one message. */
const BATCH = 256;
/** Characters of the records of one message: what is cut out of a line keeps the whole line in memory. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Messages under way for each thread. */
const AHEAD = 4;
/** Signatures that this thread checks before it starts others: below, they would take longer to start than to help. */
const ALONE = 2048;

/**
 * @param threads how many check signatures; 0: only this one does
 * @param handOn is given each item, and whether it has a signature that does not verify
 */
export function signatureChecks<Item>(threads: number, handOn: (item: Item, broken: boolean) => void): SignatureChecks<Item> {
  /** Messages under way, each with its items and the positions of those whose signature does not verify. */
  const underWay: { items: readonly Item[]; broken: Promise<ReadonlySet<number>> }[] = [];
  let batch: Batch<Item> = newBatch();
  let checked = 0;
  let pool: SignatureThreads | undefined;

  const threadPool = () => {
    pool ??= signatureThreads(threads);
    return pool;
  };
  const deliver = (items: readonly Item[], broken: ReadonlySet<number>) => {
    for (const [position, item] of items.entries()) handOn(item, broken.has(position));
  };
  const deliverFirst = async () => {
    const first = underWay.shift();
    if (first) deliver(first.items, await first.broken);
  };
  const close = () => {
    const { items, places, publicKey, hashes, signatures } = batch;
    batch = newBatch();
    if (items.length === 0) return;
    checked += places.length;
    const request = { publicKey, hashes, signatures };
    const alone = threads === 0 || checked <= ALONE;
    const invalid = alone ? invalidSignatures(request) : threadPool().invalid(request);
    const broken = Promise.resolve(invalid).then((positions) => new Set(positions.map((position) => places[position] ?? 0)));
    // Awaited in its turn; a failure must not count as unhandled until then.
    broken.catch(() => undefined);
    underWay.push({ items, broken });
  };
  return {
    add(item, check, size) {
      if (check !== undefined && batch.places.length > 0 && check.publicKey !== batch.publicKey) close();
      if (check !== undefined) {
        batch.publicKey = check.publicKey;
        batch.places.push(batch.items.length);
        batch.hashes.push(check.hash);
        batch.signatures.push(check.sig);
      }
      batch.items.push(item);
      batch.characters += size;
      if (batch.items.length >= BATCH || batch.characters >= BATCH_CHARACTERS) close();
    },
    async room() {
      while (underWay.length > AHEAD * threads) await deliverFirst();
    },
    async drain() {
      close();
      while (underWay.length > 0) await deliverFirst();
    },
    stop: async () => pool?.stop(),
  };
}

interface Batch<Item> {
  items: Item[];
  /** Positions of the items that have a signature. */
  places: number[];
  publicKey: string;
  hashes: string[];
  signatures: string[];
  characters: number;
}

function newBatch<Item>(): Batch<Item> {
  return { items: [], places: [], publicKey: '', hashes: [], signatures: [], characters: 0 };
}
