import { randomFillSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { SALT_BYTES } from '../../../evidence/index.js';
import { signerFromPem } from '../../../keys/index.js';
import { partsOf } from './random-parts.js';
import type { FromSealingThread, SealingThreadData } from './seal-on-thread.js';
import { type RowsToSeal, sealRows } from './seal-rows.js';

// The entry of the thread that verifies and signs, which is most of the work of a sequencer, beside the thread that answers requests.

const { pem } = workerData as SealingThreadData; // given by sealOnThread
const signer = signerFromPem(pem);
const salt = partsOf((bytes) => randomFillSync(new Uint8Array(bytes)), SALT_BYTES);

if (parentPort === null) throw new Error('This file must run as a worker thread.');
const port = parentPort;
port.on('message', async (request: RowsToSeal) => {
  send(await answerTo(request));
});
send({ ready: true });

function send(message: FromSealingThread): void {
  port.postMessage(message);
}

async function answerTo(request: RowsToSeal): Promise<FromSealingThread> {
  try {
    return { sealed: await sealRows(request, signer, salt) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
