/** Cuts random bytes from a block: one call for many. Each part is given once. */
export function partsOf(random: (bytes: number) => Uint8Array, size: number): () => Uint8Array {
  let block: Uint8Array = new Uint8Array();
  let at = 0;
  return () => {
    if (at + size > block.length) {
      block = random(size * 256);
      at = 0;
    }
    at += size;
    return block.subarray(at - size, at);
  };
}
