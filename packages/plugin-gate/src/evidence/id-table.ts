import { hash } from 'node:crypto';

/**
 * Which number belongs to which identifier, for tens of millions of them: 24 bytes an entry, where a Map of texts takes ten times that.
 * Identifiers are known by 128 bits of their SHA-256, so nobody can make two that are taken for one.
 */
export interface IdTable {
  /** The number that the identifier has; when it does not have one it gets this one, and the answer is undefined. */
  putIfAbsent(id: string, seq: number): number | undefined;
  get(id: string): number | undefined;
}

export function idTable(): IdTable {
  let slots = newSlots(1024);
  let used = 0;
  return {
    putIfAbsent(id, seq) {
      const key = keyOf(id);
      const at = find(slots, key);
      const known = slots.seqs[at];
      if (known !== undefined && known >= 0) return known;
      write(slots, at, key, seq);
      used++;
      if (used * 2 > slots.seqs.length) slots = grown(slots);
      return undefined;
    },
    get(id) {
      const seq = slots.seqs[find(slots, keyOf(id))];
      return seq === undefined || seq < 0 ? undefined : seq;
    },
  };
}

interface Slots {
  /** Two words of 64 bits a slot. */
  keys: BigUint64Array;
  /** −1: free. */
  seqs: Float64Array;
}

type Key = readonly [bigint, bigint];

function newSlots(count: number): Slots {
  return { keys: new BigUint64Array(2 * count), seqs: new Float64Array(count).fill(-1) };
}

function keyOf(id: string): Key {
  const digest = hash('sha256', id, 'buffer');
  return [digest.readBigUInt64LE(0), digest.readBigUInt64LE(8)];
}

/** The slot of the key, or the free one where it belongs. Tables are at most half full, so there is always one. */
function find({ keys, seqs }: Slots, [a, b]: Key): number {
  const mask = seqs.length - 1;
  let at = Number(a & BigInt(mask));
  while ((seqs[at] ?? -1) >= 0 && (keys[2 * at] !== a || keys[2 * at + 1] !== b)) at = (at + 1) & mask;
  return at;
}

function write(slots: Slots, at: number, [a, b]: Key, seq: number): void {
  slots.keys[2 * at] = a;
  slots.keys[2 * at + 1] = b;
  slots.seqs[at] = seq;
}

function grown(slots: Slots): Slots {
  const larger = newSlots(slots.seqs.length * 2);
  slots.seqs.forEach((seq, at) => {
    if (seq < 0) return;
    const key: Key = [slots.keys[2 * at] ?? 0n, slots.keys[2 * at + 1] ?? 0n];
    write(larger, find(larger, key), key, seq);
  });
  return larger;
}
