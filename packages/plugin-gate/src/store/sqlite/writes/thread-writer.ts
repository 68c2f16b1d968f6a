import { Worker } from 'node:worker_threads';
import type { Clock } from '@bylaw/core/clock';
import { StoreError } from '../../store.js';
import type { ApproverGroups } from '../../store-options.js';
import { errorOf, type Failure } from '../file/failure.js';
import { type LogMover, startLogMover } from './log-mover.js';
import { type NumberedAnswer, type NumberedUnit, type PackedAnswers, type PackedUnits, packUnits, unpackAnswers } from './messages.js';
import type { Outcomes, Unit } from './unit.js';
import type { Writer } from './writer.js';

export interface ThreadWriterData {
  path: string;
  /** PKCS#8 PEM; absent: no key. */
  pem: string | undefined;
  /** See `StoreOptions`. */
  approvers?: readonly ApproverGroups[] | undefined;
}

export type ToWriterThread = { type: 'units'; units: PackedUnits } | { type: 'probe' } | { type: 'close' };
export type FromWriterThread =
  | { type: 'open' }
  | { type: 'answers'; answers: PackedAnswers }
  | { type: 'log-grown' }
  | { type: 'probed'; failure: Failure | undefined };

/** Threads run the compiled file, also where the sources are run by a test runner. */
const THREAD_FILE = new URL('../../../../dist/store/sqlite/writes/writer-thread.js', import.meta.url);

/**
 * Units of one message. If 64 requests come at once, the writer begins with the first of them while this thread makes the units of the others;
 * in one message, each thread would wait for the other, and all answers would come at once, and so all next requests.
 */
const MOST_TOGETHER = 16;

interface Waiting {
  resolve(outcome: Outcomes[keyof Outcomes]): void;
  reject(error: Error): void;
  since: number;
}

/**
 * Writes on a thread of its own, which has the writing connection and the key. All units that come while it syncs become its
 * next batch.
 * @param onFatal is told once, when the thread has ended or must not be used any more; then every unit is refused
 */
export async function startThreadWriter(data: ThreadWriterData, clock: Clock, onFatal: (error: Error) => void): Promise<Writer> {
  const worker = new Worker(THREAD_FILE, { workerData: data });
  const waiting = new Map<number, Waiting>();
  const probes: ((failure: Failure | undefined) => void)[] = [];
  let outbox: NumberedUnit[] = [];
  let last = 0;
  let broken: Error | undefined;
  let closing = false;
  let log: LogMover | undefined;
  let emptied: () => void = () => undefined;

  const send = (message: ToWriterThread) => worker.postMessage(message);
  const flush = () => {
    if (outbox.length === 0) return;
    const units = outbox;
    outbox = [];
    send({ type: 'units', units: packUnits(units) });
  };
  const breakWith = (error: Error) => {
    if (broken) return;
    broken = error;
    for (const { reject } of waiting.values()) reject(unknownOutcome(error));
    for (const answer of probes.splice(0)) answer({ code: 'AG-EVD-002', message: error.message, fatal: true });
    waiting.clear();
    emptied();
    if (!closing) onFatal(error);
  };
  const settle = ([number, answer]: NumberedAnswer) => {
    const waiter = waiting.get(number);
    waiting.delete(number);
    if ('outcome' in answer) return waiter?.resolve(answer.outcome);
    const error = errorOf(answer.failure);
    waiter?.reject(answer.failure.fatal ? unknownOutcome(error) : error);
    if (answer.failure.fatal) breakWith(error);
  };
  worker.on('message', (message: FromWriterThread) => {
    if (message.type === 'answers') unpackAnswers(message.answers).forEach(settle);
    if (message.type === 'log-grown') log?.move();
    if (message.type === 'probed') probes.shift()?.(message.failure);
    if (waiting.size === 0) emptied();
  });
  await opened(worker);
  log = startLogMover(data.path, breakWith);
  worker.on('error', (cause) => breakWith(new StoreError('AG-EVD-002', 'The thread that writes the store failed.', { cause })));
  worker.on('exit', () => breakWith(new StoreError('AG-EVD-002', 'The thread that writes the store has ended.')));

  return {
    submit<Any extends Unit>(unit: Any) {
      return new Promise<Outcomes[Any['kind']]>((resolve, reject) => {
        if (broken) return reject(broken);
        if (closing) return reject(new StoreError('AG-EVD-002', 'The store is closed.'));
        last += 1;
        // An outcome is of the kind of its unit.
        waiting.set(last, { resolve: resolve as Waiting['resolve'], reject, since: clock.now().getTime() });
        // What a turn of the event loop brings goes together, but the writer does not wait for the end of a long one.
        if (outbox.length === 0) setImmediate(flush);
        outbox.push({ number: last, unit });
        if (outbox.length === MOST_TOGETHER) flush();
      });
    },
    probe() {
      if (broken) return Promise.resolve({ code: 'AG-EVD-002', message: broken.message, fatal: true });
      return new Promise((resolve) => {
        probes.push(resolve);
        send({ type: 'probe' });
      });
    },
    pending() {
      const [oldest] = waiting.values();
      return { count: waiting.size, since: oldest?.since ?? null };
    },
    async close() {
      closing = true;
      if (waiting.size > 0)
        await new Promise<void>((resolve) => {
          emptied = resolve;
        });
      await log?.close();
      if (broken) return;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      send({ type: 'close' });
      await ended;
    },
  };
}

/** What the disk holds of units that were sent to a thread that broke, the next start finds out. */
function unknownOutcome(cause: Error): StoreError {
  return new StoreError('AG-EVD-009', 'The store failed, so it is not known whether the change was recorded.', { cause });
}

/** @throws {StoreError} AG-EVD-002 when the thread fails before it has opened the store */
function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause?: unknown) => reject(new StoreError('AG-EVD-002', 'The thread that writes the store cannot start.', { cause }));
    worker.once('error', failed);
    worker.once('exit', failed);
    worker.once('message', () => {
      worker.off('error', failed);
      worker.off('exit', failed);
      resolve();
    });
  });
}
