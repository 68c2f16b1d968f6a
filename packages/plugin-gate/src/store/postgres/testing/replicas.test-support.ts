import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PEM } from './store.test-support.js';

/** Processes run the compiled file. */
const REPLICA = fileURLToPath(new URL('../../../../dist/store/postgres/testing/replica.test-support.js', import.meta.url));

export interface Replica {
  process: ChildProcess;
  /** Resolves when it has said a line that begins so; rejects when it ends before. */
  says(line: string): Promise<void>;
  /** Acknowledged ids, with the reference and the numbers that were answered. */
  acknowledged: Map<string, { ref: string; seq: [number, number] }>;
  errors: string[];
  /** Resolves with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
}

export function startReplica(dsn: string, replica: string, said: { crashAt?: string; load?: number } = {}): Replica {
  const child = spawn(process.execPath, [REPLICA], {
    env: {
      ...process.env,
      SVC_TEST_DSN: dsn,
      SVC_TEST_PEM: PEM,
      SVC_TEST_REPLICA: replica,
      SVC_TEST_LOAD: String(said.load ?? 8),
      SVC_CRASH_AT: said.crashAt ?? '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acknowledged: Replica['acknowledged'] = new Map();
  const errors: string[] = [];
  const heard: string[] = [];
  const listeners = new Set<() => void>();
  // Lines that were written before the end are all read before this resolves.
  const ended = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [what = '', id = '', ref = '', first, last] = line.split(' ');
    if (what === 'ack') acknowledged.set(id, { ref, seq: [Number(first), Number(last)] });
    else if (what === 'error') errors.push(line);
    else heard.push(line);
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  return {
    process: child,
    acknowledged,
    errors,
    ended,
    says: (line) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!(line === 'ack' ? acknowledged.size > 0 : heard.some((one) => one.startsWith(line)))) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        ended.then(() => reject(new Error(`The replica ended before it said "${line}": ${errors.join(' ')}`)));
        look();
      }),
  };
}
