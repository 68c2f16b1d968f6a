import type { IncomingMessage } from 'node:http';
import { BylawError } from '@bylaw/core/errors';
import { k8sError } from '../../error-table.js';
import { ListDenied, type ObjectChange, type ServedKind, type WatchOptions } from '../cluster.js';
import { isExpired, reasonOf } from '../status.js';
import { isPassingAnswer, readAnswer, type Transport } from '../transport/index.js';
import { collectionPath } from './collection.js';
import { eventLines } from './event-lines.js';
import { readWatchEvent } from './watch-event.js';

/** The server is asked to end a watch after five to ten minutes, so that the clients of one that comes back spread over its replicas. */
const LEAST_SECONDS = 300;

/** The server ends it itself; a connection that is silent for longer than that is dead. */
const GRACE_SECONDS = 30;

/**
 * The changes of a kind after a version, from one watch to the next, until the signal is aborted or the server has forgotten the version
 * (`expired`). A watch that breaks is opened again where it was, after a pause that grows.
 * @throws {ListDenied}; {BylawError} what is in the way of every watch, such as credentials
 */
export async function* watchObjects(
  transport: Transport,
  kind: ServedKind,
  { namespace, resourceVersion, signal, onLost }: WatchOptions,
): AsyncGenerator<ObjectChange, void, void> {
  const path = collectionPath(kind, namespace);
  let version = resourceVersion;
  let failures = 0;
  while (!signal.aborted) {
    const opened = await open(transport, path, version, signal);
    failures += 1; // until something has come
    if (opened === 'expired') return yield { type: 'expired' };
    if ('lost' in opened) {
      if (!signal.aborted) onLost?.(opened.lost);
    } else
      for await (const line of lines(opened.stream, transport.limits.answerBytes)) {
        if (signal.aborted) return;
        const event = readWatchEvent(line, kind);
        if (event.type === 'expired') return yield { type: 'expired' };
        if (event.type === 'failed') break;
        failures = 0;
        version = event.resourceVersion ?? version;
        if (event.type !== 'BOOKMARK') yield { type: event.type, object: event.object };
      }
    if (failures > 0) await transport.pause(failures, 'lost' in opened ? opened.retryAfter : undefined, signal).catch(() => {}); // aborted: the loop ends
  }
}

type Opened = { stream: IncomingMessage } | { lost: BylawError; retryAfter: string | undefined } | 'expired';

async function open(transport: Transport, path: string, resourceVersion: string, signal: AbortSignal): Promise<Opened> {
  const seconds = Math.floor(LEAST_SECONDS * (1 + transport.timing.random()));
  const query = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds: String(seconds) };
  try {
    const stream = await transport.open(`${path}?${new URLSearchParams(query)}`, { signal, idleMs: (seconds + GRACE_SECONDS) * 1000 });
    if (stream.statusCode === 200) return { stream };
    const answer = await readAnswer(stream, transport.limits.answerBytes);
    if (isExpired(answer.status)) return 'expired';
    if (!isPassingAnswer(answer)) throw new ListDenied(reasonOf(answer));
    const lost = k8sError('cluster-unreachable', `The API server ${transport.server.origin} cannot answer: ${reasonOf(answer)}.`);
    return { lost, retryAfter: answer.retryAfter };
  } catch (error) {
    if (error instanceof BylawError && error.code === 'cluster-unreachable') return { lost: error, retryAfter: undefined };
    if (signal.aborted) return { lost: k8sError('cluster-unreachable', 'The watch was stopped.'), retryAfter: undefined };
    throw error;
  }
}

/** Ends where the connection ends, in whatever way: the caller knows how far it has come. */
async function* lines(stream: IncomingMessage, maxBytes: number): AsyncGenerator<string, void, void> {
  const source = eventLines(stream, maxBytes);
  try {
    for (;;) {
      const next = await source.next().catch(() => undefined);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}
