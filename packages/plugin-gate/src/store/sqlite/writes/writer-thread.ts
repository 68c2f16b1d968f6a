import { randomFillSync } from 'node:crypto';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { SALT_BYTES } from '../../../evidence/index.js';
import { signerFromPem } from '../../../keys/index.js';
import { openChain } from './chain.js';
import { type NumberedUnit, packAnswers, unpackUnits } from './messages.js';
import type { FromWriterThread, ThreadWriterData, ToWriterThread } from './thread-writer.js';
import type { Unit } from './unit.js';

// The entry of the thread that owns the writing connection and the key: records units batch by batch, in the order they come in.

/** Of one transaction. The next batch forms while this one syncs, so no timer is needed. */
const MAX_UNITS = 256;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** What a unit is taken for that comes as objects. */
const OTHER_UNIT = MAX_CHARACTERS / MAX_UNITS;

/** Characters of data after which the log's pages are moved: about 1,000 pages. */
const LOG_CHARACTERS = 1024 * 1024;
/** 128 MiB: only under load without a pause does the log grow so far, and then little is left to move. */
const LOG_PAGES = 32_768;

const { path, pem, approvers } = workerData as ThreadWriterData; // given by startThreadWriter
const chain = openChain({
  path,
  signer: pem === undefined ? undefined : signerFromPem(pem),
  salt: freshSalt(),
  approvers,
  logPages: LOG_PAGES,
});
const queue: NumberedUnit[] = [];
let logged = 0;

if (parentPort === null) throw new Error('This file must run as a worker thread.');
const port = parentPort;
port.on('message', (message: ToWriterThread) => {
  take(message);
  while (queue.length > 0) {
    const batch = nextBatch();
    const answers = chain.append(batch.map(({ unit }) => unit));
    send({ type: 'answers', answers: packAnswers(answers.map((answer, index) => [batch[index]?.number ?? 0, answer])) });
    if (logged >= LOG_CHARACTERS) {
      logged = 0;
      send({ type: 'log-grown' });
    }
    takeWaiting();
  }
});
send({ type: 'open' });

function take(message: ToWriterThread): void {
  if (message.type === 'units') queue.push(...unpackUnits(message.units));
  if (message.type === 'probe') send({ type: 'probed', failure: chain.probe() });
  if (message.type === 'close') {
    chain.close();
    port.close();
  }
}

/** What came during the last sync belongs to the next batch. */
function takeWaiting(): void {
  for (let waiting = receiveMessageOnPort(port); waiting !== undefined; waiting = receiveMessageOnPort(port)) take(waiting.message);
}

function nextBatch(): NumberedUnit[] {
  let count = 0;
  for (let characters = 0; count < Math.min(queue.length, MAX_UNITS); count++) {
    characters += sizeOf(queue[count]?.unit);
    if (characters > MAX_CHARACTERS && count > 0) break;
    logged += sizeOf(queue[count]?.unit);
  }
  return queue.splice(0, count);
}

function sizeOf(unit: Unit | undefined): number {
  return unit?.kind === 'decision' ? unit.proposal.length + unit.verdict.length : OTHER_UNIT;
}

function send(message: FromWriterThread): void {
  port.postMessage(message);
}

/** Salts are cut from a block: one call for many records. Each part is used once. */
function freshSalt(): () => Uint8Array {
  const block = new Uint8Array(SALT_BYTES * 256);
  let at = block.length;
  return () => {
    if (at === block.length) {
      randomFillSync(block);
      at = 0;
    }
    at += SALT_BYTES;
    return block.subarray(at - SALT_BYTES, at);
  };
}
