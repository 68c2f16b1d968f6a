/**
 * A proof of one record that can be checked with nothing but the verifier's key (c2sp.org/tlog-proof@v1): the place of the
 * record, the way to the root, and the checkpoint that names the root.
 * @param proof from `inclusionProof`, in hex
 * @param checkpoint the signed note, whole
 * @param line the record itself (see `recordLine`), to be carried along; a verifier must hash it before it believes it
 */
export function tlogProof(seq: number, proof: readonly string[], checkpoint: string, line?: string): string {
  const extra = line === undefined ? '' : `extra ${Buffer.from(line).toString('base64')}\n`;
  const hashes = proof.map((node) => `${Buffer.from(node, 'hex').toString('base64')}\n`).join('');
  return `c2sp.org/tlog-proof@v1\n${extra}index ${seq}\n${hashes}\n${checkpoint}`;
}
