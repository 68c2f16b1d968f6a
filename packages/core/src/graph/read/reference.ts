import { isObject, type JsonObject, type JsonValue } from '../../resource/index.js';
import type { EdgeKind } from '../model.js';

interface AnyReference {
  /** JSON Pointer of the reference in the object. */
  path: string;
  /** Further pointers at which a finding is about it: the target ports of a Service name ports of its Pods. */
  alsoAt?: readonly string[];
}

/** What an object refers to by name. */
export interface NameReference extends AnyReference {
  type: 'name';
  edge: EdgeKind;
  /** As rules name it. */
  kind: string;
  /** Absent: that of the object. */
  namespace?: string;
  name: string;
  /** The ports or keys of the target that are meant. */
  parts?: { what: 'port' | 'key'; names: readonly string[] };
  optional?: boolean;
}

/** The Pods that an object selects in its own namespace. */
export interface PodSelection extends AnyReference {
  type: 'pods';
  edge: EdgeKind;
  /** With `matchLabels` and `matchExpressions`. */
  selector: JsonObject;
  detail?: string;
  /** Names of ports that the Pods must have. */
  ports?: readonly string[];
}

/** The Pods of a peer of a NetworkPolicy. */
export interface PeerSelection extends AnyReference {
  type: 'peer';
  edge: 'allows-from' | 'allows-to';
  podSelector: JsonObject | undefined;
  namespaceSelector: JsonObject | undefined;
}

export type Reference = NameReference | PodSelection | PeerSelection;

/** A member of objects in objects; undefined if one of them is absent. Names come from the input, so only own members count. */
export function memberOf(value: JsonValue | undefined, ...steps: readonly (string | number)[]): JsonValue | undefined {
  let at = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

/** A text that is not empty; names of objects are also written as numbers by mistake, which the API refuses. */
export function textAt(value: JsonValue | undefined, ...steps: readonly (string | number)[]): string | undefined {
  const text = memberOf(value, ...steps);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The text of a port: a name or a number. */
export function portAt(value: JsonValue | undefined, ...steps: readonly (string | number)[]): string | undefined {
  const port = memberOf(value, ...steps);
  return typeof port === 'number' ? String(port) : textAt(port);
}

export function objectAt(value: JsonValue | undefined, ...steps: readonly (string | number)[]): JsonObject | undefined {
  const object = memberOf(value, ...steps);
  return isObject(object) ? object : undefined;
}

/** The items of a list, each with its JSON Pointer; none if it is not a list. */
export function itemsAt(value: JsonValue | undefined, pointer: string, ...steps: readonly string[]): [item: JsonValue, pointer: string][] {
  const list = memberOf(value, ...steps);
  const base = [pointer, ...steps].join('/');
  return Array.isArray(list) ? list.map((item, index) => [item, `${base}/${index}`]) : [];
}

/** The ports that a reference means, if it names any. */
export function portsOf(...ports: readonly (string | undefined)[]): Pick<NameReference, 'parts'> {
  const names = ports.filter((port) => port !== undefined);
  return names.length === 0 ? {} : { parts: { what: 'port', names } };
}
