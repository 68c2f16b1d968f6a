import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { JsonValue } from '../text/json.js';
import { ReadError } from '../text/read-error.js';
import { knownKey, rememberKey } from './key-table.js';
import { keyOf, resolvePlain, resolveTagged, ScalarError } from './scalar.js';

/** What single events of js-yaml's parser mean: the value, the key and the place of a node. */

/** The value of a scalar. @throws {ReadError} */
export function valueOfScalar(event: ScalarEvent, text: string): JsonValue {
  const source = getScalarValue(text, event);
  const tag = tagOf(event, text);
  if (tag === undefined && event.style !== SCALAR_STYLE.PLAIN) return source;
  try {
    return tag === undefined ? resolvePlain(source) : resolveTagged(tag, source);
  } catch (error) {
    throw scalarReadError(error, event, source);
  }
}

/** The key that a scalar stands for; undefined when it is the merge key `<<`. @throws {ReadError} */
export function keyOfScalar(event: ScalarEvent, text: string): string | undefined {
  if (!event.fast || event.tagStart >= 0 || event.style !== SCALAR_STYLE.PLAIN) return newKey(event, text);
  const known = knownKey(text, event.valueStart, event.valueEnd);
  if (known !== undefined) return known;
  const key = newKey(event, text);
  // Only a key that means itself can be told by its text the next time.
  if (key?.length === event.valueEnd - event.valueStart && text.startsWith(key, event.valueStart)) rememberKey(key);
  return key;
}

function newKey(event: ScalarEvent, text: string): string | undefined {
  const source = getScalarValue(text, event);
  const tag = tagOf(event, text);
  if (source === '<<' && isMergeKey(event, tag)) return undefined;
  if (tag === undefined && event.style !== SCALAR_STYLE.PLAIN) return source;
  try {
    return keyOf(source, tag);
  } catch (error) {
    throw scalarReadError(error, event, source);
  }
}

/** Where the node of an event starts in the text; undefined for an empty scalar, which has no place of its own. */
export function offsetOf(event: Event): number | undefined {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      if (event.valueStart >= 0) return event.valueStart - (isQuoted(event) ? 1 : 0);
      if (event.tagStart >= 0) return event.tagStart;
      return event.anchorStart >= 0 ? event.anchorStart - 1 : undefined;
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    default:
      return undefined;
  }
}

/** The index after the node that starts at `index`. */
export function endOfNode(events: readonly Event[], index: number): number {
  let open = 0;
  let at = index;
  do {
    const type = events[at++]?.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open++;
    else if (type === EVENT_ID.POP) open--;
    else if (type === undefined) return at;
  } while (open > 0);
  return at;
}

/** The same for every node at once: by the index at which a node starts, the index after it. */
export function endsOfNodes(events: readonly Event[]): number[] {
  const ends = new Array<number>(events.length).fill(0);
  const open: number[] = [];
  for (let at = 0; at < events.length; at++) {
    const type = events[at]?.type;
    if (type === EVENT_ID.POP) ends[open.pop() ?? at] = at + 1;
    else if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE || type === EVENT_ID.DOCUMENT) open.push(at);
    else ends[at] = at + 1;
  }
  return ends;
}

function tagOf(event: ScalarEvent, text: string): string | undefined {
  return event.tagStart < 0 ? undefined : text.slice(event.tagStart, event.tagEnd);
}

function isMergeKey(event: ScalarEvent, tag: string | undefined): boolean {
  return tag === undefined ? event.style === SCALAR_STYLE.PLAIN : tag === '!!merge';
}

function isQuoted(event: ScalarEvent): boolean {
  return event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
}

function scalarReadError(error: unknown, event: ScalarEvent, source: string): unknown {
  if (!(error instanceof ScalarError)) return error;
  // A value with a tag may be anything, a secret in !!binary too; without one it is a form of null or of a number.
  const shown = event.tagStart >= 0 || source === '' ? 'This value' : `The value ${source}`;
  return new ReadError('yaml-syntax', offsetOf(event) ?? 0, `${shown} ${error.message}.`);
}
