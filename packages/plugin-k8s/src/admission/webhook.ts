import { evaluationFromFlags } from '@bylaw/core/command/evaluation';
import type { Config } from '@bylaw/core/config';
import { type HttpResponse, problem } from '@bylaw/core/http';
import { describeError, type Log } from '@bylaw/core/log';
import type { RunningPlugin, Services } from '@bylaw/core/plugin';
import { PoolBusyError, ProgramError, ThreadPool, type ThreadPoolOptions } from '@bylaw/core/thread';
import { type Mode, type WebhookConfig, webhookConfigOf } from '../config/webhook-section.js';
import { deadlineOf } from './deadline.js';
import { modeOf } from './review/namespaces.js';
import { failed, notEvaluated } from './review/not-evaluated.js';
import { answerBroken, type BodyAnswer, readBody, written } from './review/review-body.js';
import { REVIEW_PROGRAM, type ReviewJob, type ReviewSetup } from './review-job.js';

export const WEBHOOK_PATH = '/api/v1/webhook';

/** The webhook of a server. */
export interface Webhook extends Pick<RunningPlugin, 'ready' | 'stop'> {
  /**
   * Where the configuration says who may ask the webhook, starts its threads, and resolves when they have evaluated the examples of all rules. Else
   * they start with the first request: a server that no cluster asks is spared them.
   * @throws when a thread cannot be started
   */
  start(): Promise<void>;
  /**
   * Answers the body of a request, in time whatever happens.
   * @param asked the mode that the address asks for
   * @param timeout how long the API server waits, as it says
   * @throws {HttpProblem} `invalid-json`, `schema`
   */
  answer(body: Uint8Array, asked: Mode | undefined, timeout: string | undefined): Promise<HttpResponse>;
}

type ReviewPool = ThreadPool<ReviewJob, BodyAnswer>;

/**
 * Why no thread gave an answer. `late`: its time is over; `ranMs` is how much of that a thread spent on it. `lost`: the thread that evaluated it ended.
 * `failed`: there is a defect. `busy`: too many wait.
 */
type NoAnswer = { type: 'late'; ranMs: number } | { type: 'lost' | 'failed' | 'busy' };

/** Jobs that may wait; an API server sends no more than some hundred writes at a time. */
const MAX_WAITING = 512;

const webhooks = new WeakMap<Services, Promise<Webhook>>();

/** The one webhook of a server's services: its route is mounted before it is started. */
export function webhookOf(services: Services): Promise<Webhook> {
  const known = webhooks.get(services) ?? createWebhook(services);
  webhooks.set(services, known);
  return known;
}

/** @param program of a thread */
export async function createWebhook(services: Services, program = REVIEW_PROGRAM): Promise<Webhook> {
  const { config, clock, log } = services;
  const settings = webhookConfigOf(config);
  const options = { ...(await poolOptions(services, settings)), program };
  let pool: ReviewPool | undefined;
  const opened = () => {
    pool ??= new ThreadPool(options);
    return pool;
  };
  return {
    async start() {
      if (!isAwaited(config, settings)) return;
      try {
        await opened().started;
      } catch (error) {
        await pool?.close();
        throw error;
      }
    },
    async answer(body, asked, timeout) {
      const ms = deadlineOf(settings.deadline_ms, timeout);
      const today = clock.now().toISOString().slice(0, 10);
      // API servers say how long they wait. Anyone else waits for the threads.
      if (timeout === undefined) await opened().started.catch(() => undefined);
      const given = await answerInTime(opened(), { body, mode: asked, today }, ms, log);
      const answer = given.type === 'reviewed' || given.type === 'refused' ? given : withoutThread(body, asked, given, ms, settings);
      if (answer.type === 'refused') throw problem(answer.problem, answer.errors.length > 0 ? { errors: answer.errors } : {});
      const { decision, findings } = answer.log;
      log[decision === 'allowed' && findings === undefined ? 'debug' : 'info'](answer.log, 'review');
      return { status: 200, body: answer.text };
    },
    ready: () => (pool === undefined || pool.ready > 0 ? [] : [{ code: 'webhook-threads', message: 'No webhook thread is ready.' }]),
    stop: async () => pool?.close(),
  };
}

async function poolOptions(services: Services, settings: WebhookConfig): Promise<Omit<ThreadPoolOptions, 'program'>> {
  const { catalogue, log } = services;
  const {
    filter,
    exceptionsFrom = 'all',
    exceptions = [],
    baseline = new Set(),
    namespace = 'default',
    packSettings = {},
  } = await evaluationFromFlags({}, services);
  return {
    setup: {
      origin: catalogue.origin,
      evaluation: { filter, exceptionsFrom, exceptions, baseline, namespace, packSettings },
      settings,
    } satisfies ReviewSetup,
    size: settings.threads,
    warm: true,
    maxWaiting: MAX_WAITING,
    deadlineMs: settings.deadline_ms,
    worksOn: true, // a thread that is ended takes a second to get ready again
    onLost: (error) => log.error(describeError(error), 'a webhook thread ended; a new thread replaces it'),
  };
}

/** The answer of a thread, or why there is none after so many milliseconds. */
async function answerInTime(pool: ReviewPool, job: ReviewJob, ms: number, log: Log): Promise<BodyAnswer | NoAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  let startedAt: number | undefined;
  const onStart = () => {
    startedAt = performance.now();
  };
  try {
    return await pool.ask(job, { signal: late.signal, onStart });
  } catch (error) {
    if (late.signal.aborted) return { type: 'late', ranMs: startedAt === undefined ? 0 : performance.now() - startedAt };
    if (error instanceof PoolBusyError) return { type: 'busy' };
    if (!(error instanceof ProgramError)) return { type: 'lost' };
    log.error(describeError(error), 'a review failed because of a bug');
    return { type: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the configuration lets an API server in. */
function isAwaited({ api }: Config, { tokens, client_names: names }: WebhookConfig): boolean {
  return tokens.length > 0 || names.length > 0 || api.open_paths.some((path) => path.startsWith(WEBHOOK_PATH));
}

/** The answer where no thread gave one. */
function withoutThread(body: Uint8Array, asked: Mode | undefined, given: NoAnswer, ms: number, settings: WebhookConfig): BodyAnswer {
  const read = readBody(body);
  if (read.type === 'refused') return read;
  if (read.type === 'broken') return written(answerBroken(read, asked, { settings }));
  const { request } = read;
  const mode = asked ?? modeOf(request.namespace, settings);
  if (given.type === 'busy') return written(failed(request, 'too many requests are waiting for the webhook.', mode, settings));
  // Most of its time it waited for a thread, so it is not the object that takes too long.
  if (given.type === 'late' && given.ranMs < ms / 2) return written(failed(request, 'the webhook ran out of time.', mode, settings));
  return written(notEvaluated(request, WHY[given.type], mode, settings));
}

const WHY = {
  late: 'the check takes too long. Make the object smaller, or increase webhook.deadline_ms and the timeoutSeconds of the webhook.',
  lost: 'the thread that checked it ended. The log of bylaw has details.',
  failed: 'bylaw failed because of a bug. The log of bylaw has details.',
};
