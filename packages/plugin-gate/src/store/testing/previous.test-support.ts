import { fileURLToPath } from 'node:url';
import { signerFromPem } from '../../keys/index.js';
import type { SigningKey } from '../signing-key.js';

/** What version 0.1.0 wrote: see previous/README.md. */
export type PreviousChain = 'schema-1' | 'schema-1-faults';

export function previousFile(name: PreviousChain, type: 'sqlite' | 'jsonl' | 'oscal' | 'checkpoint'): string {
  return fileURLToPath(new URL(`./previous/${name}.${type}`, import.meta.url));
}

/** The Ed25519 key with the seed 00 01 … 1f, which signs them. */
const seed = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]).toString('base64');
const pem = `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`;
export const PREVIOUS_KEY = { pem, signer: signerFromPem(pem) } satisfies SigningKey;

/** What the mark of `schema-1-faults` lists. */
export const PREVIOUS_FAULTS = [
  { kind: 'second-final', seq: 16 },
  { kind: 'second-final', seq: 17 },
  { kind: 'unexplained-erasure', seq: 18 },
  { kind: 'unexplained-erasure', seq: 20 },
];
