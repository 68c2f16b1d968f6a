import fc from 'fast-check';

/** Copies of a file with one damage each: a bit that is flipped, or bytes that are cut off, deleted, repeated or written over. */
export function damagedCopies(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = { at: fc.nat(bytes.length - 1), length: fc.integer({ min: 1, max: 2000 }), value: fc.integer({ min: 1, max: 255 }) };
  return fc
    .record({ kind: fc.constantFrom('flip', 'cut', 'delete', 'repeat', 'overwrite'), ...place })
    .map(({ kind, at, length, value }) => {
      const copy = Buffer.from(bytes);
      const before = copy.subarray(0, at);
      if (kind === 'cut') return before;
      if (kind === 'delete') return Buffer.concat([before, copy.subarray(at + length)]);
      if (kind === 'repeat') return Buffer.concat([before, copy.subarray(at, at + length), copy.subarray(at)]);
      if (kind === 'flip') return flipped(copy, at * 8 + (value & 7));
      return copy.fill(value, at, Math.min(at + length, copy.length));
    });
}

/** A copy with one bit flipped. */
export function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
