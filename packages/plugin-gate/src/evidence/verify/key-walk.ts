import { isJsonObject, type Json } from '../../json/index.js';
import { keyIdOf, publicKeyOf, verifySignature } from '../../keys/index.js';
import { rotationText } from '../key-records.js';
import type { VerifierKey } from '../note.js';
import type { ReadRecord } from './parse-record-line.js';
import type { FailureCode, ReadableReport } from './report.js';

/** Follows the keys of a chain: from genesis, or from the pinned key, along the rotations. */
export interface KeyWalk {
  /** Says which key must have signed the next record, then checks what the record says of keys. */
  next(record: ReadRecord): SignedBy;
  /** Whether the pinned key was in force anywhere. */
  pinnedSeen(): boolean;
  chainId(): string | null;
  reigns(): ReadableReport['keys'];
  revoked(): ReadableReport['revoked'];
  /** Public keys that were in force, raw, base64url. */
  publicKeys(): string[];
}

export interface SignedBy {
  /** What is wrong before the signature is looked at. */
  before: FailureCode[];
  /** Raw key, base64url; absent: there is no key in force, or the record names another one. */
  publicKey: string | undefined;
  /** What is wrong after it. */
  after: FailureCode[];
}

export function keyWalk(pinned: VerifierKey): KeyWalk {
  const pinnedId = keyIdOf(pinned.publicKey);
  const reigns: (ReadableReport['keys'][number] & { publicKey: string })[] = [];
  const revocations: { key_id: string; from: number; reason: string }[] = [];
  let current: { keyId: string; publicKey: string } | undefined;
  let chainId: string | null = null;
  let first = true;
  let pinnedSeen = false;

  const begin = (publicKey: string, from: number, dev: boolean) => {
    current = { keyId: keyIdOf(publicKey), publicKey };
    pinnedSeen ||= current.keyId === pinnedId && publicKey === pinned.publicKey;
    reigns.push({ key_id: current.keyId, from, to: from - 1, dev, publicKey });
  };

  const introduce = ({ record, header, data }: ReadRecord): FailureCode[] => {
    if (record.seq > 0) {
      if (header.key_id !== pinnedId) return ['pinned-key'];
      begin(pinned.publicKey, record.seq, header.dev);
      return [];
    }
    const genesis = isJsonObject(data) && record.type === 'genesis' ? data : {};
    if (!isKey(genesis['public_key']) || typeof genesis['chain_id'] !== 'string' || genesis['spec'] !== 'svc-evidence/1')
      return ['genesis'];
    begin(genesis['public_key'], 0, header.dev);
    chainId = genesis['chain_id'];
    return [];
  };

  const rotate = ({ record, header, data }: ReadRecord): FailureCode[] => {
    if (!isJsonObject(data)) return ['key-record'];
    const { event, key_id: keyId, public_key: publicKey, chain_id: chain, proof, from_seq: from, reason } = data;
    if (event === 'revoked' && typeof keyId === 'string' && Number.isSafeInteger(from) && typeof reason === 'string') {
      revocations.push({ key_id: keyId, from: Number(from), reason });
      return [];
    }
    if (event !== 'rotated' || !isKey(publicKey) || keyId !== keyIdOf(publicKey)) return ['key-record'];
    if (typeof chain !== 'string' || (chainId !== null && chain !== chainId) || typeof proof !== 'string') return ['key-record'];
    if (!verifySignature(rotationText(chain, header.prev_hash, keyId), proof, publicKeyOf(publicKey))) return ['key-record'];
    // The old key signed this record; the new one signs from the next on.
    begin(publicKey, record.seq + 1, header.dev);
    return [];
  };

  return {
    next(record) {
      const before = first ? introduce(record) : [];
      first = false;
      const { header } = record;
      const signer = current;
      const reign = reigns.at(-1);
      if (reign !== undefined) reign.to = Math.max(reign.to, header.seq);
      const named = signer !== undefined && header.key_id === signer.keyId;
      if (signer !== undefined && !named) before.push('key-id');
      return { before, publicKey: named ? signer.publicKey : undefined, after: header.type === 'key' ? rotate(record) : [] };
    },
    pinnedSeen: () => pinnedSeen,
    chainId: () => chainId,
    reigns: () => reigns.map(({ key_id, from, to, dev }) => ({ key_id, from, to, dev })),
    revoked: () =>
      revocations.map(({ key_id, from, reason }) => ({
        key_id,
        from,
        to: reigns.findLast((reign) => reign.key_id === key_id)?.to ?? null,
        reason,
      })),
    publicKeys: () => reigns.map(({ publicKey }) => publicKey),
  };
}

/** A raw public key whose text is the only one that it has. */
function isKey(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(value);
}
