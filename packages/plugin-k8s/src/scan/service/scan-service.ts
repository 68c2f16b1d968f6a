import { judgingOf } from '@bylaw/core/command/judging';
import { problem } from '@bylaw/core/http';
import { threadProblem } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { packBreaches } from '@bylaw/core/service';
import { ThreadPool, type ThreadPoolOptions } from '@bylaw/core/thread';
import { scanConfigOf } from '../../config/scan-section.js';
import { k8sProblem } from '../../problem-table.js';
import type { ScanBody } from './scan-body.js';
import type { ScanJob, ScanOutcome } from './scan-job.js';
import { scanProblem } from './scan-problem.js';

/** Scans for those who ask a server. */
export interface ScanService {
  /**
   * One scan at a time: it takes a processor, a good deal of memory, and the patience of an API server.
   * @param body has passed its schema
   * @returns the report as UTF-8, the same bytes as of the command
   * @throws {HttpProblem} `overloaded`, `evaluation-timeout`, `schema`, `context-not-allowed`, and what `scanProblem` makes of the errors of a scan
   */
  scan(body: ScanBody, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends a scan that still goes on. */
  close(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const PROGRAM = new URL('../../../dist/scan/service/scan-worker.js', import.meta.url);

/** A scan of a hundred thousand objects takes minutes, most of which an API server needs. */
const DEADLINE_MS = 15 * 60_000;

function scanService(services: Services, limits: Partial<ThreadPoolOptions>): ScanService {
  const { catalogue, clock, config, log } = services;
  // A thread ends with its scan, and with it what it holds of the cluster.
  const retires = () => true;
  const one = { program: PROGRAM, size: 1, warm: false, maxWaiting: 0, deadlineMs: DEADLINE_MS, retires, ...limits };
  const pool = new ThreadPool<ScanJob, ScanOutcome>(one);
  return {
    async scan(body, signal) {
      if (body.context !== undefined && !scanConfigOf(config).contexts.includes(body.context))
        throw k8sProblem('context-not-allowed', { detail: 'Use one of `scan.contexts` in the server configuration, or omit the context.' });
      const errors = packBreaches(body, catalogue);
      if (errors.length > 0) throw problem('schema', { errors });
      const today = clock.now().toISOString().slice(0, 10);
      const job = { origin: catalogue.origin, defaults: await judgingOf({}, services), request: body, today };
      const outcome = await pool.ask(job, { signal }).catch((error: unknown) => {
        throw threadProblem(error, { busy: 'Another scan is running. Try again later.', retryAfter: 10 });
      });
      if ('body' in outcome) return outcome.body;
      const { code, message } = outcome.error;
      log.warn({ code, reason: message }, 'a scan failed');
      throw scanProblem(outcome.error) ?? new Error(`a scan failed with ${code}`);
    },
    close: () => pool.close(),
  };
}

const known = new WeakMap<Services, ScanService>();

/**
 * The one of these services: routes and tools share it, and whoever ends them closes it.
 * @param limits other limits of its thread than the usual ones; those of the first call count
 */
export function scanServiceOf(services: Services, limits: Partial<ThreadPoolOptions> = {}): ScanService {
  const service = known.get(services) ?? scanService(services, limits);
  known.set(services, service);
  return service;
}
