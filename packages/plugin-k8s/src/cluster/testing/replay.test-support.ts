import { readFileSync } from 'node:fs';
import type { ApiServer } from './api-server.test-support.js';
import { runningServer } from './connected.test-support.js';
import { type Answer, statusFault } from './faults.test-support.js';

/** What was asked of a real API server, and what it answered; see `recorded/README.md`. */
export interface Exchange {
  path: string;
  accept: string;
  status: number;
  headers: { [name: string]: string };
  body: unknown;
}

export type Recording = 'aggregated-discovery' | 'legacy-discovery' | 'lists' | 'refusals' | 'watches';

export function recorded(recording: Recording): Exchange[] {
  return JSON.parse(readFileSync(new URL(`recorded/${recording}.json`, import.meta.url), 'utf8'));
}

/** A server that answers what was recorded, and 404 where nothing was. */
export async function replayingServer(...recordings: Recording[]): Promise<ApiServer> {
  const exchanges = recordings.flatMap(recorded);
  const server = await runningServer();
  server.fault('/', (request, response) => {
    const found = exchanges.find(
      ({ path, accept }) => isSameTarget(path, request.url ?? '') && request.headers.accept?.split(',').includes(accept),
    );
    (found ? answerOf(found) : statusFault(404, 'NotFound'))(request, response);
  });
  return server;
}

export function answerOf({ status, headers, body }: Exchange): Answer {
  return (_, response) => {
    response.writeHead(status, headers);
    if (Array.isArray(body)) for (const event of body) response.write(`${JSON.stringify(event)}\n`);
    response.end(Array.isArray(body) ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Parameters may be in another order and written in another way; how long a watch goes on is the client's choice. */
function isSameTarget(a: string, b: string): boolean {
  return targetOf(a) === targetOf(b);
}

function targetOf(target: string): string {
  const { pathname, searchParams } = new URL(target, 'https://server');
  searchParams.delete('timeoutSeconds');
  searchParams.sort();
  return `${pathname}?${searchParams}`.replace('watch=true', 'watch=1');
}
