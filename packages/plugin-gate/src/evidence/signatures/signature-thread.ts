import { parentPort } from 'node:worker_threads';
import { publicKeyOf, verifySignature } from '../../keys/index.js';
import { signedText } from '../seal.js';
import type { FromSignatureThread, SignaturesToCheck } from './signature-threads.js';

// The entry of a thread that verifies signatures, which take far too long for the thread that answers requests.

if (parentPort === null) throw new Error('This file must run as a worker thread.');
const port = parentPort;
port.on('message', (request: SignaturesToCheck) => {
  send({ invalid: firstInvalid(request) });
});

function send(message: FromSignatureThread): void {
  port.postMessage(message);
}

function firstInvalid({ publicKey, hashes, signatures }: SignaturesToCheck): number | null {
  const key = publicKeyOf(publicKey);
  const found = hashes.findIndex((hash, index) => !verifySignature(signedText(hash), signatures[index] ?? '', key));
  return found < 0 ? null : found;
}
