import { fixedClock } from '../clock.js';
import { loadReaders } from '../resource/index.js';
import { loadCatalogue } from '../rule/index.js';
import { giveWay, serveThread } from '../thread/index.js';
import { writeAnswer } from './answer.js';
import { AnswerWriter } from './answer-writer.js';
import { comparersOf } from './comparing.js';
import type { RequestMessage, RequestSetup } from './request-pool.js';

// The program of a thread of a request pool: loads the catalogue once, then answers one request after another.
giveWay();
serveThread<RequestSetup, RequestMessage>(async ({ origin, defaults, comparing, readers: modules = [] }) => {
  const loading = loadCatalogue(origin);
  const comparers = comparersOf(comparing);
  const reading = loadReaders(modules);
  reading.catch(() => undefined); // told to each request
  const place = comparing.config.workloads;
  await loading.catch(() => undefined); // a failure is told to each request
  return async ({ operation, body, today }, send) => {
    const context = {
      catalogue: await loading,
      clock: fixedClock(`${today}T00:00:00Z`),
      defaults,
      comparers,
      readers: await reading,
      place,
    };
    const writer = new AnswerWriter(send);
    return (await writeAnswer(operation, body, context, writer)) ?? writer.end();
  };
});
