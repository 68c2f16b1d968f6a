import type { ServerResponse } from 'node:http';
import type { ServedKind } from '../cluster.js';
import { apiVersionOf, type ObjectStore, type StoredChange } from './object-store.test-support.js';

export interface WatchRequest {
  resource: string;
  kind: ServedKind;
  namespace: string | undefined;
  url: URL;
  /** Versions before it are forgotten. */
  compactedAt: number;
}

interface OpenWatch extends WatchRequest {
  response: ServerResponse;
}

/** The watches that are open on a server. */
export interface Watches {
  add(response: ServerResponse, watch: WatchRequest): void;
  bookmark(): void;
  opened(resource: string): Promise<void>;
  end(how?: 'cut'): void;
}

export function watches(store: ObjectStore): Watches {
  const open = new Set<OpenWatch>();
  const waiting: { resource: string; resolve: () => void }[] = [];
  store.onChange((change) => {
    for (const watch of open) if (concerns(watch, change)) send(watch.response, change.type, change.json);
  });
  const isOpen = (resource: string) => [...open].some((watch) => watch.resource === resource);
  return {
    add(response, watch) {
      const since = Number(watch.url.searchParams.get('resourceVersion'));
      response.writeHead(200, { 'content-type': 'application/json' });
      if (since < watch.compactedAt) {
        const message = `too old resource version: ${since} (${watch.compactedAt})`;
        send(
          response,
          'ERROR',
          JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', message, code: 410 }),
        );
        response.end();
        return;
      }
      const entry = { ...watch, response };
      open.add(entry);
      response.once('close', () => open.delete(entry));
      response.flushHeaders();
      for (const change of store.changesAfter(since)) if (concerns(entry, change)) send(response, change.type, change.json);
      for (const { resolve } of waiting.filter(({ resource }) => resource === watch.resource)) resolve();
    },
    bookmark() {
      for (const { response, kind, url } of open) {
        if (url.searchParams.get('allowWatchBookmarks') !== 'true') continue;
        const metadata = { resourceVersion: String(store.version), creationTimestamp: null };
        send(response, 'BOOKMARK', JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata }));
      }
    },
    opened: (resource) =>
      isOpen(resource) ? Promise.resolve() : new Promise((resolve) => waiting.push({ resource, resolve: () => resolve() })),
    end(how) {
      for (const { response } of open) {
        if (how === 'cut') response.socket?.destroy();
        else response.end();
      }
      open.clear();
    },
  };
}

function concerns(watch: OpenWatch, change: StoredChange): boolean {
  return change.resource === watch.resource && (watch.namespace === undefined || change.namespace === watch.namespace);
}

function send(response: ServerResponse, type: string, json: string): void {
  response.write(`{"type":"${type}","object":${json}}\n`);
}
