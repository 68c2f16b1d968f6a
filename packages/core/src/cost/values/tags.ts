import { ownText } from './own-text.js';

/** Distinct texts of tags are few, and rows are many. */
const cache = new Map<string, ReadonlyMap<string, string>>();
const MOST_CACHED = 20_000;

/** The value of a tag in a column that holds all of them, see `keysAndValues`. Empty where there is none. */
export function readTags(text: string, tag: string): string {
  return keysAndValues(text).get(tag) ?? '';
}

/**
 * A column of keys and values: a JSON object (FOCUS, AWS), the same without its braces (Azure), or a list of keys and values (Google Cloud).
 * Nothing where the text is not one of these.
 */
export function keysAndValues(text: string): ReadonlyMap<string, string> {
  if (text === '' || text === 'null') return NOTHING;
  let pairs = cache.get(text);
  if (!pairs) {
    pairs = parse(text);
    if (text.length > LONGEST_CACHED) return pairs;
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(ownText(text), pairs);
  }
  return pairs;
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const LONGEST_CACHED = 2000;

function parse(text: string): ReadonlyMap<string, string> {
  const trimmed = text.trim();
  const value = parsed(trimmed.startsWith('"') ? `{${trimmed}}` : trimmed);
  if (Array.isArray(value)) return new Map(value.flatMap((item) => (isPair(item) ? [[item.key, String(item.value)] as const] : [])));
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).map(([key, member]) => [key.replace(/^user_/, ''), member === true ? 'true' : String(member ?? '')]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPair(item: unknown): item is { key: string; value: unknown } {
  return typeof item === 'object' && item !== null && 'key' in item && typeof item.key === 'string' && 'value' in item;
}
