import type { KeyObject } from 'node:crypto';
import { nodeHash, recordHash, rootOfInclusion } from '../../../evidence/index.js';
import { type Signer, verifySignatureOnPool } from '../../../keys/index.js';

/**
 * Signatures of the rows of the outbox. A replica signs a batch once, over the root of the Merkle tree (RFC 9162) of its texts;
 * each row carries that signature with its own way to the root, so that it can be verified without the others, and who verifies
 * many rows of one batch does so by hashes and one signature. Records of the chain are signed each for itself.
 */

/** @returns the signature of each text: key, signature, place, number of texts, and the hashes on the way to the root, between dots */
export function signBatch(texts: readonly string[], signer: Signer): string[] {
  if (texts.length === 0) return [];
  const { root, ways } = treeOf(texts.map(recordHash));
  const signature = signer.sign(signedText(root, texts.length));
  return ways.map((way, index) => [signer.keyId, signature, index, texts.length, ...way].join('.'));
}

/** Says why a text is not one that a key has signed; undefined when it is. */
export type SignatureCheck = (text: string, signature: string) => Promise<string | undefined>;

/**
 * Checks of signatures of many rows. What was found of a root is remembered, and no more than that.
 * @param keys of the chain that are not revoked, by `key_id`
 */
export function signatureCheck(keys: ReadonlyMap<string, KeyObject>): SignatureCheck {
  const roots = new Map<string, Promise<boolean>>();
  return async (text, signature) => {
    if (!SHAPE.test(signature)) return 'it is not signed';
    const [keyId = '', signed = '', index, size, ...way] = signature.split('.');
    const key = keys.get(keyId);
    if (key === undefined) return 'it is signed with a key that is not, or no longer, a key of the chain';
    const root = rootOfInclusion(recordHash(text), Number(index), Number(size), way);
    if (root === undefined) return MISFIT;
    const claim = `${keyId}.${signed}.${size}.${root}`;
    const known = roots.get(claim) ?? verifySignatureOnPool(signedText(root, Number(size)), signed, key);
    roots.set(claim, known);
    return (await known) ? undefined : MISFIT;
  };
}

const MISFIT = 'its signature does not match its content';

/** A batch has far fewer than 2^16 texts. */
const SHAPE = /^[0-9a-f]{32}\.[A-Za-z0-9_-]{86}\.(0|[1-9]\d{0,4})\.[1-9]\d{0,4}(\.[0-9a-f]{64}){0,16}$/;

/** The first line keeps it from being taken for a signature of anything else. */
function signedText(root: string, size: number): string {
  return `svc-outbox/1\n${size}\n${root}\n`;
}

/** The root over leaves, and the way from each leaf to it: its sibling first. */
function treeOf(leaves: readonly string[]): { root: string; ways: string[][] } {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return { root: only, ways: [[]] };
  let middle = 1;
  while (middle * 2 < leaves.length) middle *= 2;
  const [left, right] = [treeOf(leaves.slice(0, middle)), treeOf(leaves.slice(middle))];
  const ways = [...left.ways.map((way) => [...way, right.root]), ...right.ways.map((way) => [...way, left.root])];
  return { root: nodeHash(left.root, right.root), ways };
}
