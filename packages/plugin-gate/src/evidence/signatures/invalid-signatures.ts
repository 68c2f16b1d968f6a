import { publicKeyOf, verifySignature } from '../../keys/index.js';
import { signedText } from '../seal.js';
import type { SignaturesToCheck } from './signature-threads.js';

/** @returns the positions of the signatures that do not verify, ascending */
export function invalidSignatures({ publicKey, hashes, signatures }: SignaturesToCheck): number[] {
  if (hashes.length === 0) return [];
  const key = publicKeyOf(publicKey);
  return hashes.flatMap((hash, position) => (verifySignature(signedText(hash), signatures[position] ?? '', key) ? [] : [position]));
}
