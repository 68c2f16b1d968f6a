import { judgingOf } from '@bylaw/core/command/judging';
import { problem } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { packBreaches } from '@bylaw/core/service';
import { scanConfigOf } from '../../config/scan-section.js';
import { k8sProblem } from '../../problem-table.js';
import type { ScanBody } from './scan-body.js';
import { scanProblem } from './scan-problem.js';
import { scanOnThread } from './scan-thread.js';

/** Scans for those who ask a server. */
export interface ScanService {
  /**
   * One scan at a time: it takes a processor, a good deal of memory, and the patience of an API server.
   * @param body has passed its schema
   * @returns the report as UTF-8, the same bytes as of the command
   * @throws {HttpProblem} `overloaded`, `schema`, `context-not-allowed`, and what `scanProblem` makes of the errors of a scan
   */
  scan(body: ScanBody, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends a scan that still goes on. */
  close(): void;
}

export function scanService(services: Services): ScanService {
  const { catalogue, clock, config, log } = services;
  const closed = new AbortController();
  let busy = false;

  async function scanNow(body: ScanBody, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const job = {
      origin: catalogue.origin,
      defaults: await judgingOf({}, services),
      body,
      today: clock.now().toISOString().slice(0, 10),
    };
    const answer = await scanOnThread(job, AbortSignal.any([signal, closed.signal]));
    if ('bytes' in answer) return answer.bytes;
    const { code, message } = answer.error;
    log.warn({ code, reason: message }, 'a scan failed');
    throw scanProblem(answer.error) ?? new Error(`a scan failed with ${code}`);
  }

  return {
    async scan(body, signal) {
      if (body.context !== undefined && !scanConfigOf(config).contexts.includes(body.context))
        throw k8sProblem('context-not-allowed', { detail: 'Use one of `scan.contexts` in the server configuration, or omit the context.' });
      const errors = packBreaches(body, catalogue);
      if (errors.length > 0) throw problem('schema', { errors });
      if (busy) throw problem('overloaded', { detail: 'Another scan is running. Try again later.', headers: { 'Retry-After': '10' } });
      busy = true;
      return scanNow(body, signal).finally(() => {
        busy = false;
      });
    },
    close: () => closed.abort(new Error('the server is stopping')),
  };
}

const known = new WeakMap<Services, ScanService>();

/** The one of these services: routes and tools share it, and whoever ends them closes it. */
export function scanServiceOf(services: Services): ScanService {
  const service = known.get(services) ?? scanService(services);
  known.set(services, service);
  return service;
}
