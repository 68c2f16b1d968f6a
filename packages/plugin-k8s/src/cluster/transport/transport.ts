import type { IncomingMessage } from 'node:http';
import type { Clock } from '@bylaw/core/clock';
import { BylawError } from '@bylaw/core/errors';
import { k8sError } from '../../error-table.js';
import type { CredentialSource } from '../credentials/index.js';
import type { Access, Environment } from '../kubeconfig/index.js';
import type { Timing } from '../timing.js';
import { backOff, retryAfterMs } from './back-off.js';
import { connection } from './connection.js';
import { connectionError, isPassing } from './failure.js';
import type { ConnectionLimits } from './limits.js';
import { pace } from './pace.js';
import { proxyOf } from './proxy.js';
import { type Answer, readAnswer } from './read-answer.js';
import { slots } from './slots.js';

export interface TransportOptions {
  access: Access;
  credentials: CredentialSource;
  env: Environment;
  limits: ConnectionLimits;
  clock: Clock;
  timing: Timing;
}

export interface GetOptions {
  accept?: string;
  signal?: AbortSignal;
  /** Instead of the usual number. */
  tries?: number;
}

/** Requests to an API server at a bounded pace, sent again where that may help. */
export interface Transport {
  /**
   * Asks until there is an answer that another try would not change, or the tries are used up.
   * @param target path and query, from the root of the API
   * @throws {BylawError} `cluster-unreachable`, `cluster-certificate`, `cluster-credentials`, `not-an-api-server`, `credential-plugin`; the reason of the signal
   */
  get(target: string, options?: GetOptions): Promise<Answer>;
  /** Asks once for an answer that goes on; `idleMs` without a byte end it. Throws as `get` does. */
  open(target: string, options: { signal: AbortSignal; idleMs: number }): Promise<IncomingMessage>;
  /** Waits after so many failures in a row: as long as the server asks for, else longer each time. Rejects with the reason of the signal. */
  pause(failures: number, retryAfter: string | undefined, signal: AbortSignal): Promise<void>;
  readonly server: URL;
  readonly timing: Timing;
  readonly limits: ConnectionLimits;
  close(): void;
}

const JSON_TYPE = 'application/json';

const NEVER = new AbortController().signal;

/** @throws {BylawError} `cluster-unreachable` where the environment names a proxy that is not one */
export function transport(options: TransportOptions): Transport {
  const { access, limits, timing, clock } = options;
  const { server } = access;
  const proxy = access.proxy ?? proxyOf(server, options.env);
  const line = connection({ ...options, proxy, connectMs: limits.connectMs });
  const start = pace(limits.requestsPerSecond, limits.burst, timing);
  const places = slots(limits.concurrency);
  let answered = false;

  const once = async (target: string, accept: string, signal: AbortSignal): Promise<Answer> => {
    await start.take(signal);
    const response = await line.get({ target, accept, compress: true, idleMs: limits.idleMs, signal });
    const answer = await readAnswer(response, limits.answerBytes);
    answered = true;
    return answer;
  };

  const failed = (error: unknown): BylawError => {
    if (error instanceof BylawError) return error;
    if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_CHAR')
      return k8sError('cluster-credentials', 'The credentials in the kubeconfig contain characters that cannot be sent.');
    return connectionError(server, proxy, error);
  };

  const pause = (failures: number, asked: string | undefined, signal: AbortSignal) =>
    timing.wait(retryAfterMs(asked, clock.now()) ?? backOff(failures, timing), signal);

  return {
    server,
    timing,
    limits,
    get: async (target, { accept = JSON_TYPE, signal = NEVER, tries = limits.tries } = {}) => {
      for (let failures = 0; ; ) {
        const outcome = await attempt(() => places.run(signal, () => once(target, accept, signal)), signal);
        failures += 1;
        const last = failures >= tries;
        if ('error' in outcome && (last || !isPassing(outcome.error, answered))) throw failed(outcome.error);
        if ('answer' in outcome && (last || !isPassingAnswer(outcome.answer))) return outcome.answer;
        await pause(failures, 'answer' in outcome ? outcome.answer.retryAfter : undefined, signal);
      }
    },
    open: async (target, { signal, idleMs }) => {
      await start.take(signal);
      const outcome = await attempt(() => line.get({ target, accept: JSON_TYPE, compress: false, idleMs, signal }), signal);
      if ('error' in outcome) throw failed(outcome.error);
      return outcome.answer;
    },
    pause,
    close: line.close,
  };
}

/** What is aborted ends at once; any other failure is for the caller to evaluate. */
async function attempt<T>(work: () => Promise<T>, signal: AbortSignal): Promise<{ answer: T } | { error: unknown }> {
  try {
    return { answer: await work() };
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}

/** The API server is overloaded, starting or failing, or something between it and us is. */
export function isPassingAnswer({ status, form }: Answer): boolean {
  return status === 429 || status >= 500 || (status === 200 && form === 'broken');
}
