import { canonical } from '../json/index.js';
import type { Signer } from '../keys/index.js';
import { CURRENT_FORMAT } from './format/mark.js';
import type { Draft } from './record.js';

/** The first record of a chain: which chain it is, the key that it begins with, and its format. */
export function genesisDraft(chain: { chainId: string; origin: string; publicKey: string; time: string; dev: boolean }): Draft {
  const { chainId, origin, publicKey, time, dev } = chain;
  const data = canonical({
    chain_id: chainId,
    spec: 'svc-evidence/1',
    format: CURRENT_FORMAT,
    public_key: publicKey,
    origin,
    created_at: time,
  });
  return { type: 'genesis', time, dev, reportedBy: 'system', data };
}

/** The data of a `key` record after which only the new key signs. */
export interface RotationData {
  [member: string]: string;
  event: 'rotated';
  /** So that the proof can be checked without genesis. */
  chain_id: string;
  public_key: string;
  key_id: string;
  /** The new key's signature: who rotates holds both. */
  proof: string;
  reason: string;
}

/** @param prevHash hash of the record that this one will follow, so that the proof fits nowhere else */
export function rotationData(newKey: Signer, chainId: string, prevHash: string, reason: string): RotationData {
  const proof = newKey.sign(rotationText(chainId, prevHash, newKey.keyId));
  return { event: 'rotated', chain_id: chainId, public_key: newKey.publicKey, key_id: newKey.keyId, proof, reason };
}

/** What the new key signs. */
export function rotationText(chainId: string, prevHash: string, newKeyId: string): string {
  return `svc-key/1\n${chainId}\n${prevHash}\n${newKeyId}\n`;
}

/** The data of a `key` record that says: what this key signed from `from_seq` on may be someone else's. */
export interface RevocationData {
  [member: string]: string | number;
  event: 'revoked';
  key_id: string;
  from_seq: number;
  reason: string;
}

export function revocationData(keyId: string, fromSeq: number, reason: string): RevocationData {
  return { event: 'revoked', key_id: keyId, from_seq: fromSeq, reason };
}
