import { parentPort, workerData } from 'node:worker_threads';
import { fixedClock } from '../clock.js';
import { loadCatalogue } from '../rule/index.js';
import { answer } from './answer.js';
import { comparersOf } from './comparing.js';
import { giveWay } from './thread-priority.js';
import type { FromRequestWorker, ToRequestWorker, WorkerSetup } from './worker-pool.js';

// The entry of a worker thread of a WorkerPool: loads the catalogue once, then answers one request after another.
giveWay();
const setup = workerData as WorkerSetup; // given by the pool
const ready = loadCatalogue(setup.origin);
const comparers = comparersOf(setup.comparing);
ready.catch(() => undefined); // told to the first request

parentPort?.on('message', (message: ToRequestWorker) => {
  void respond(message).then((response) => {
    const buffer = 'body' in response ? response.body.buffer : undefined;
    parentPort?.postMessage(response, buffer instanceof ArrayBuffer ? [buffer] : []);
  });
});

async function respond({ operation, body, today }: ToRequestWorker): Promise<FromRequestWorker> {
  try {
    const catalogue = await ready;
    const { defaults, comparing } = setup;
    const place = comparing.config.workloads;
    const answered = await answer(operation, body, { catalogue, clock: fixedClock(`${today}T00:00:00Z`), defaults, comparers, place });
    return 'body' in answered ? { body: new TextEncoder().encode(answered.body) } : answered;
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
