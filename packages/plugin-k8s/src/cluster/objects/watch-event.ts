import type { KubernetesObject, ServedKind } from '../cluster.js';
import { asMapping, asText } from '../json.js';
import { isExpired } from '../status.js';
import { kubernetesObject } from './object.js';

/** What one line of a watch says. `failed`: the server ends it for another reason, or does not speak as an API server does. */
export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubernetesObject; resourceVersion: string | undefined }
  | { type: 'BOOKMARK'; resourceVersion: string | undefined }
  | { type: 'expired' }
  | { type: 'failed' };

export function readWatchEvent(line: string, kind: ServedKind): WatchEvent {
  const event = parsed(line);
  const object = asMapping(event?.object);
  if (!event || !object) return { type: 'failed' };
  const resourceVersion = asText(asMapping(object.metadata)?.resourceVersion) || undefined;
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: kubernetesObject(object, kind), resourceVersion };
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion };
    default:
      return { type: isExpired(object.code) ? 'expired' : 'failed' };
  }
}

function parsed(line: string) {
  try {
    return asMapping(JSON.parse(line));
  } catch {
    return undefined;
  }
}
