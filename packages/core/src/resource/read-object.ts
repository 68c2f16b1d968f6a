import { extractResources } from './extract.js';
import type { Extraction } from './extraction.js';
import { type JsonObject, type JsonValue, setMember } from './text/json.js';
import { MAX_DEPTH, MAX_NODES } from './text/limits.js';
import { ReadError } from './text/read-error.js';
import { noteShadowed } from './yaml/cel-form.js';
import { NO_COMMENTS } from './yaml/comment-index.js';
import { NO_PLACES } from './yaml/places.js';

/**
 * Makes resources of an object that came already parsed, as `readDocument` does of a text. There is no text, so every position is
 * line 0. The given value is not changed and not kept. Never throws.
 * @param source `served` says that the object comes from an API server, which has accepted it
 */
export function readObject(value: unknown, source: { file: string; document: number; served?: boolean }): Extraction {
  const result: Extraction = { resources: [], errors: [], skipped: [] };
  const origin = { ...source, explicit: true, places: NO_PLACES, comments: NO_COMMENTS };
  try {
    extractResources(result, normalise(value), origin);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    result.errors.push({ code: error.code, message: error.message, location: { file: source.file, line: 0, column: 0 } });
  }
  return result;
}

interface State {
  nodes: number;
  hasConstructor: boolean;
}

/** A copy as the text readers would make it: a tree of plain objects within the limits, without members that are null. */
function normalise(value: unknown): JsonValue {
  const state: State = { nodes: 0, hasConstructor: false };
  const copy = copyOf(state, value, 1);
  if (state.hasConstructor) noteShadowed(copy);
  return copy;
}

function copyOf(state: State, value: unknown, depth: number): JsonValue {
  if (++state.nodes > MAX_NODES)
    throw new ReadError('too-many-nodes', 0, `The object contains more than ${MAX_NODES.toLocaleString('en')} values. Split it.`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH)
    throw new ReadError('document-too-deep', 0, `The object is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
  if (Array.isArray(value)) return value.map((item) => copyOf(state, item, depth + 1));
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === 'constructor') state.hasConstructor = true;
    const copied = copyOf(state, member, depth + 1);
    if (copied !== null) setMember(copy, key, copied);
  }
  return copy;
}
