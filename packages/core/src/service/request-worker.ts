import { parentPort, workerData } from 'node:worker_threads';
import { fixedClock } from '../clock.js';
import { loadReaders } from '../resource/index.js';
import { loadCatalogue } from '../rule/index.js';
import { writeAnswer } from './answer.js';
import { AnswerWriter } from './answer-writer.js';
import { comparersOf } from './comparing.js';
import type { FromRequestWorker, ToRequestWorker, WorkerSetup } from './request-messages.js';
import { giveWay } from './thread-priority.js';

// The entry of a worker thread of a WorkerPool: loads the catalogue once, then answers one request after another.
giveWay();
const setup = workerData as WorkerSetup; // given by the pool
const catalogue = loadCatalogue(setup.origin);
const comparers = comparersOf(setup.comparing);
const readers = loadReaders(setup.readers ?? []);
readers.catch(() => undefined); // told to each request
let writer: AnswerWriter | undefined;

catalogue.then(sayReady, sayReady); // a failure is told to the first request

parentPort?.on('message', (message: ToRequestWorker) => {
  if ('more' in message) writer?.goOn();
  else void respond(message).then(post);
});

async function respond({ operation, body, today }: Exclude<ToRequestWorker, { more: true }>): Promise<FromRequestWorker> {
  try {
    writer = new AnswerWriter(post);
    const { defaults, comparing } = setup;
    const place = comparing.config.workloads;
    const context = {
      catalogue: await catalogue,
      clock: fixedClock(`${today}T00:00:00Z`),
      defaults,
      comparers,
      readers: await readers,
      place,
    };
    return (await writeAnswer(operation, body, context, writer)) ?? (await writer.end());
  } catch (error) {
    if (isTooLong(error)) return { tooMuchMemory: true };
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    writer = undefined;
  }
}

/** A text, a list or a buffer that is longer than the engine can hold. */
function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && /^(Invalid (string|array|typed array) length|Array buffer allocation failed)/.test(error.message);
}

function sayReady(): void {
  post({ ready: true });
}

function post(message: FromRequestWorker): void {
  const { buffer } = 'body' in message ? message.body : 'chunk' in message ? message.chunk : {};
  parentPort?.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}
