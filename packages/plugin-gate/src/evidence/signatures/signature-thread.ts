import { parentPort } from 'node:worker_threads';
import { invalidSignatures } from './invalid-signatures.js';
import type { FromSignatureThread, SignaturesToCheck } from './signature-threads.js';

// The entry of a thread that verifies signatures, which take far too long for the thread that answers requests.

if (parentPort === null) throw new Error('This file must run as a worker thread.');
const port = parentPort;
port.on('message', (request: SignaturesToCheck) => {
  send({ invalid: invalidSignatures(request) });
});

function send(message: FromSignatureThread): void {
  port.postMessage(message);
}
