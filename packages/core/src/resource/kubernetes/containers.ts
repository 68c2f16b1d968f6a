import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import type { Pod } from './pod.js';

/** A native sidecar is an init container that keeps running (`restartPolicy: Always`). */
export type ContainerKind = 'app' | 'init' | 'sidecar' | 'ephemeral';

export interface ContainerRef {
  container: JsonObject;
  kind: ContainerKind;
  /** JSON Pointer from the root of the object. */
  pointer: string;
}

/** The containers of a Pod: first `containers`, then `initContainers`, then `ephemeralContainers`. Items that are not mappings are left out. */
export function containersOf(pod: Pod): ContainerRef[] {
  return containersOfSpec(pod.spec, `${pod.pointer}/spec`);
}

/** The same for a Pod's spec alone. `pointer` is where the spec is in the object. */
export function containersOfSpec(spec: JsonObject, pointer: string): ContainerRef[] {
  return [
    ...containerList(spec.containers, `${pointer}/containers`, () => 'app'),
    ...containerList(spec.initContainers, `${pointer}/initContainers`, initKind),
    ...containerList(spec.ephemeralContainers, `${pointer}/ephemeralContainers`, () => 'ephemeral'),
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

function initKind(container: JsonObject): ContainerKind {
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}
