import { EVENT_ID, type Event } from 'js-yaml';
import { isObject, type JsonObject, type JsonValue, setMember } from '../text/json.js';
import { MAX_DEPTH, MAX_NODES } from '../text/limits.js';
import { ReadError } from '../text/read-error.js';
import { endOfNode, keyOfScalar, offsetOf, valueOfScalar } from './events.js';

/** One YAML document as values. */
export interface Composed {
  value: JsonValue;
  /** The index of the event that starts the root node. */
  root: number;
  /** Some mapping has a member that is null. */
  hasNulls: boolean;
  /** Some mapping has a key `constructor`. */
  hasConstructor: boolean;
}

/**
 * Makes values of js-yaml's events. The library's own constructor shares the nodes that aliases repeat, names only the second of two
 * equal keys, and resolves merge keys as YAML 1.2 does; here aliases are expanded within the limits on depth and nodes, so that the
 * result is a tree, and merge keys mean what go-yaml v2, and so Kubernetes, makes of them.
 * @throws {ReadError}
 */
export function compose(events: readonly Event[], text: string): Composed[] {
  const state: State = { events, text, index: 0, nodes: 0, hasNulls: false, hasConstructor: false, anchors: undefined };
  const documents: Composed[] = [];
  while (state.index < events.length) {
    // Each document is a DOCUMENT event, one node, and a POP.
    state.index++;
    state.anchors = undefined;
    state.hasNulls = false;
    state.hasConstructor = false;
    const root = state.index;
    const value = composeNode(state, 1);
    documents.push({ value, root, hasNulls: state.hasNulls, hasConstructor: state.hasConstructor });
    state.index++;
  }
  return documents;
}

interface State {
  readonly events: readonly Event[];
  readonly text: string;
  index: number;
  nodes: number;
  hasNulls: boolean;
  hasConstructor: boolean;
  anchors: Map<string, Anchor> | undefined;
}

interface Anchor {
  /** Undefined while the node is still being read: an alias inside it would make it contain itself. */
  value: JsonValue | undefined;
  /** The index of the event that starts the node. */
  index: number;
}

function composeNode(state: State, depth: number): JsonValue {
  const index = state.index++;
  const event = eventAt(state, index);
  countNode(state, event);
  switch (event.type) {
    case EVENT_ID.SCALAR: {
      const value = valueOfScalar(event, state.text);
      if (event.anchorStart >= 0) setAnchor(state, event, index).value = value;
      return value;
    }
    case EVENT_ID.ALIAS:
      return expandAlias(state, event, depth);
    case EVENT_ID.MAPPING: {
      checkDepth(depth, event);
      const anchor = event.anchorStart >= 0 ? setAnchor(state, event, index) : undefined;
      const value = composeMapping(state, index, depth);
      if (anchor !== undefined) anchor.value = value;
      return value;
    }
    case EVENT_ID.SEQUENCE: {
      checkDepth(depth, event);
      const anchor = event.anchorStart >= 0 ? setAnchor(state, event, index) : undefined;
      const value = composeSequence(state, depth);
      if (anchor !== undefined) anchor.value = value;
      return value;
    }
    default:
      throw new ReadError('yaml-syntax', 0, 'The document ends before its last value.');
  }
}

function composeSequence(state: State, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  while (eventAt(state, state.index).type !== EVENT_ID.POP) items.push(composeNode(state, depth + 1));
  state.index++;
  return items;
}

function composeMapping(state: State, start: number, depth: number): JsonObject {
  const object: JsonObject = {};
  let merged: Set<string> | undefined;
  for (;;) {
    const event = eventAt(state, state.index);
    if (event.type === EVENT_ID.POP) break;
    const keyIndex = state.index++;
    const key = composeKey(state, event, keyIndex);
    if (key === undefined) {
      merged ??= new Set();
      mergeInto(state, object, merged, depth);
      continue;
    }
    if (Object.hasOwn(object, key) && !merged?.delete(key)) throw duplicateKey(state, start, keyIndex, key);
    const value = composeNode(state, depth + 1);
    addMember(state, object, key, value);
  }
  state.index++;
  return object;
}

function composeKey(state: State, event: Event, index: number): string | undefined {
  if (event.type === EVENT_ID.SCALAR) {
    if (event.anchorStart >= 0) setAnchor(state, event, index).value = valueOfScalar(event, state.text);
    return keyOfScalar(event, state.text);
  }
  const target = event.type === EVENT_ID.ALIAS ? eventAt(state, anchorOf(state, event).index) : event;
  if (target.type === EVENT_ID.SCALAR) return keyOfScalar(target, state.text);
  throw new ReadError('yaml-syntax', placeOf(event), 'A key is a list or a mapping. Kubernetes allows only strings as keys.');
}

function addMember(state: State, object: JsonObject, key: string, value: JsonValue): void {
  if (value === null) state.hasNulls = true;
  if (key === 'constructor') state.hasConstructor = true;
  setMember(object, key, value);
}

/** go-yaml v2 merges where the `<<` stands: later keys of the mapping win over it, and it wins over earlier ones. */
function mergeInto(state: State, object: JsonObject, merged: Set<string>, depth: number): void {
  const event = eventAt(state, state.index);
  const value = composeNode(state, depth + 1);
  const sources = Array.isArray(value) && event.type === EVENT_ID.SEQUENCE ? value.toReversed() : [value];
  for (const source of sources) {
    if (!isObject(source)) {
      throw new ReadError(
        'yaml-syntax',
        placeOf(event),
        'The value of the merge key `<<` must be a mapping, an alias of one, or a list of those.',
      );
    }
    for (const [key, member] of Object.entries(source)) {
      if (!Object.hasOwn(object, key)) merged.add(key);
      addMember(state, object, key, member);
    }
  }
}

function expandAlias(state: State, event: Extract<Event, { type: typeof EVENT_ID.ALIAS }>, depth: number): JsonValue {
  const anchor = anchorOf(state, event);
  if (anchor.value === undefined) {
    throw new ReadError('yaml-syntax', placeOf(event), `The alias *${aliasName(state, event)} is inside the value that it refers to.`);
  }
  return copyOf(state, anchor.value, depth, event);
}

function copyOf(state: State, value: JsonValue, depth: number, alias: Event): JsonValue {
  countNode(state, alias);
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth, alias);
  if (Array.isArray(value)) return value.map((item) => copyOf(state, item, depth + 1, alias));
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, key, copyOf(state, member, depth + 1, alias));
  return copy;
}

function setAnchor(state: State, event: { anchorStart: number; anchorEnd: number }, index: number): Anchor {
  const anchor: Anchor = { value: undefined, index };
  state.anchors ??= new Map();
  state.anchors.set(state.text.slice(event.anchorStart, event.anchorEnd), anchor);
  return anchor;
}

function anchorOf(state: State, event: Extract<Event, { type: typeof EVENT_ID.ALIAS }>): Anchor {
  const anchor = state.anchors?.get(aliasName(state, event));
  if (anchor !== undefined) return anchor;
  throw new ReadError(
    'yaml-syntax',
    placeOf(event),
    `The alias *${aliasName(state, event)} refers to an anchor that is not defined before it.`,
  );
}

function aliasName(state: State, event: { anchorStart: number; anchorEnd: number }): string {
  return state.text.slice(event.anchorStart, event.anchorEnd);
}

function eventAt(state: State, index: number): Event {
  const event = state.events[index];
  if (event === undefined) throw new ReadError('yaml-syntax', 0, 'The document ends before its last value.');
  return event;
}

function placeOf(event: Event): number {
  return offsetOf(event) ?? 0;
}

function countNode(state: State, event: Event): void {
  if (++state.nodes > MAX_NODES) {
    throw new ReadError(
      'too-many-nodes',
      placeOf(event),
      `The document expands to more than ${MAX_NODES.toLocaleString('en')} values. Aliases (*name) can multiply values: use fewer aliases, or split the document.`,
    );
  }
}

function checkDepth(depth: number, event: Event): void {
  if (depth > MAX_DEPTH) throw tooDeep(placeOf(event));
}

export function tooDeep(offset: number): ReadError {
  return new ReadError('document-too-deep', offset, `The document is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
}

function duplicateKey(state: State, mapping: number, second: number, key: string): ReadError {
  const at = placeOf(eventAt(state, second));
  const first = placeOf(eventAt(state, firstKey(state, mapping, key)));
  return new DuplicateKeyError(key, first, at);
}

/** Carries both places, so that the message can name both lines. */
export class DuplicateKeyError extends ReadError {
  readonly key: string;
  readonly first: number;

  constructor(key: string, first: number, second: number) {
    super('duplicate-key', second, `The key ${JSON.stringify(key)} occurs twice in the same mapping.`);
    this.key = key;
    this.first = first;
  }
}

function firstKey(state: State, mapping: number, key: string): number {
  let index = mapping + 1;
  for (;;) {
    const event = eventAt(state, index);
    if (event.type === EVENT_ID.POP) return mapping;
    if (composeKey(state, event, index) === key) return index;
    index = endOfNode(state.events, index + 1);
  }
}
