import { isObject } from './members.js';
import type { Pod } from './pod.js';
import type { JsonObject, JsonValue } from './resource.js';

/** A native sidecar is an init container that keeps running (`restartPolicy: Always`). */
export type ContainerKind = 'app' | 'init' | 'sidecar' | 'ephemeral';

export interface ContainerRef {
  container: JsonObject;
  kind: ContainerKind;
  /** JSON Pointer from the root of the object. */
  pointer: string;
}

/** The containers of a Pod: first `containers`, then `initContainers`, then `ephemeralContainers`. Items that are no mappings are left out. */
export function containersOf(pod: Pod): ContainerRef[] {
  const spec = `${pod.pointer}/spec`;
  return [
    ...containerList(pod.spec.containers, `${spec}/containers`, () => 'app'),
    ...containerList(pod.spec.initContainers, `${spec}/initContainers`, initKind),
    ...containerList(pod.spec.ephemeralContainers, `${spec}/ephemeralContainers`, () => 'ephemeral'),
  ];
}

export function containerList(
  list: JsonValue | undefined,
  pointer: string,
  kindOf: (container: JsonObject) => ContainerKind,
): ContainerRef[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((container, index) =>
    isObject(container) ? [{ container, kind: kindOf(container), pointer: `${pointer}/${index}` }] : [],
  );
}

export function initKind(container: JsonObject): ContainerKind {
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}
