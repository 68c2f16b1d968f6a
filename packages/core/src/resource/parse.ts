import { type Event, parseEvents } from 'js-yaml';
import { type Composed, compose } from './compose.js';
import { MAX_DEPTH, MAX_NODES } from './limits.js';
import { withoutNullMembers } from './members.js';
import { type Places, placesOf } from './places.js';
import { ReadError } from './read-error.js';
import type { JsonValue, SourceDocument } from './resource.js';
import { noteShadowed } from './shadowed-constructor.js';

/** A document as values, with the means to find the place of each. */
export interface ParsedDocument {
  /** Members that were null are gone. */
  value: JsonValue;
  places: Places;
  events: readonly Event[];
  /** The index of the event that starts the root node. */
  root: number;
}

/**
 * Reads YAML and JSON, which is YAML too. A text normally holds one document; one that is not split yet may hold more.
 * @throws {ReadError | YAMLException}
 */
export function parseDocuments(document: SourceDocument): ParsedDocument[] {
  const { text } = document;
  refuseTooManyNodes(text);
  // The parser counts a scalar as a level of its own; `compose` holds the exact limit.
  const events = parseEvents(text, { maxDepth: MAX_DEPTH + 1 });
  const origin = { line: document.line, column: document.column ?? 1 };
  return compose(events, text).map((composed) => ({
    value: finish(composed),
    places: placesOf(events, text, composed.root, origin),
    events,
    root: composed.root,
  }));
}

function finish(composed: Composed): JsonValue {
  const value = composed.hasNulls ? withoutNullMembers(composed.value) : composed.value;
  if (composed.hasConstructor) noteShadowed(value);
  return value;
}

/**
 * The parser makes an object of some hundred bytes for each value before anything can be counted. A large text is therefore
 * looked over first: each value but the first follows a comma, a bracket or a line break.
 */
function refuseTooManyNodes(text: string): void {
  if (text.length <= MAX_NODES) return;
  let separators = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || c === 0x2c || c === 0x5b || c === 0x7b) separators++;
  }
  if (separators > 2 * MAX_NODES) {
    throw new ReadError('too-many-nodes', 0, `The document holds more than ${MAX_NODES.toLocaleString('en')} values. Split it.`);
  }
}
