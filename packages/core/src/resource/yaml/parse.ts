import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { type JsonValue, withoutNullMembers } from '../text/json.js';
import { MAX_DEPTH, MAX_NODES } from '../text/limits.js';
import { indexLines, type Position } from '../text/lines.js';
import { ReadError } from '../text/read-error.js';
import { noteShadowed } from './cel-form.js';
import { type Composed, compose } from './compose.js';
import { indentFlows, type PaddedText } from './flow-indentation.js';
import { type Places, placesOf } from './places.js';
import type { SourceDocument } from './source-document.js';

/** A document as values, with the means to find the place of each. */
export interface ParsedDocument {
  /** Members that were null are gone. */
  value: JsonValue;
  places: Places;
  events: readonly Event[];
  /** The text that the events refer to. */
  text: string;
  /** The index of the event that starts the root node. */
  root: number;
}

/** What a text was read as when it could not be read: its error refers to that, and not to the document as it came. */
export class PaddedTextError extends Error {
  readonly padded: PaddedText;

  constructor(cause: unknown, padded: PaddedText) {
    super('cannot be read', { cause });
    this.padded = padded;
  }
}

/**
 * Reads YAML and JSON, which is YAML too. A text normally holds one document; one that is not split yet may hold more.
 * @throws {ReadError | YAMLException | PaddedTextError}
 */
export function parseDocuments(document: SourceDocument): ParsedDocument[] {
  refuseTooManyNodes(document.text);
  try {
    return parseText(document, { text: document.text, padding: new Map() });
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') throw error;
    const padded = indentFlows(document.text);
    if (padded === undefined) throw error;
    return parsePadded(document, padded);
  }
}

/** The position of the first character of a document. */
export function originOf(document: SourceDocument): Position {
  return { line: document.line, column: document.column ?? 1 };
}

function parsePadded(document: SourceDocument, padded: PaddedText): ParsedDocument[] {
  try {
    return parseText(document, padded);
  } catch (error) {
    throw new PaddedTextError(error, padded);
  }
}

function parseText(document: SourceDocument, { text, padding }: PaddedText): ParsedDocument[] {
  // The parser counts a scalar as a level of its own; `compose` holds the exact limit.
  const events = parseEvents(text, { maxDepth: MAX_DEPTH + 1 });
  const lines = indexLines(text, originOf(document), padding);
  return compose(events, text).map((composed) => ({
    value: finish(composed),
    places: placesOf(events, text, composed.root, lines),
    events,
    text,
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
    throw new ReadError('too-many-nodes', 0, `The document contains more than ${MAX_NODES.toLocaleString('en')} values. Split it.`);
  }
}
