/** A set of record numbers: one bit for each where they are close together, about 200 bytes for one that is alone. */
export interface RecordSet {
  add(seq: number): void;
  has(seq: number): boolean;
  /** The numbers, ascending. */
  values(): number[];
}

/** Numbers of one block. */
const BLOCK = 1024;

export function recordSet(): RecordSet {
  const blocks = new Map<number, Uint8Array>();
  const place = (seq: number) => ({ block: Math.floor(seq / BLOCK), byte: Math.floor((seq % BLOCK) / 8), bit: 1 << (seq % 8) });
  return {
    add(seq) {
      const { block, byte, bit } = place(seq);
      const bits = blocks.get(block) ?? new Uint8Array(BLOCK / 8);
      bits[byte] = (bits[byte] ?? 0) | bit;
      blocks.set(block, bits);
    },
    has(seq) {
      const { block, byte, bit } = place(seq);
      return ((blocks.get(block)?.[byte] ?? 0) & bit) !== 0;
    },
    values() {
      const found: number[] = [];
      for (const [block, bits] of [...blocks].sort(([a], [b]) => a - b))
        for (let at = 0; at < BLOCK; at++) if (((bits[Math.floor(at / 8)] ?? 0) & (1 << (at % 8))) !== 0) found.push(block * BLOCK + at);
      return found;
    },
  };
}
