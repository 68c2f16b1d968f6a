/** Distinct texts of tags are few, and rows are many. */
const cache = new Map<string, ReadonlyMap<string, string>>();
const MOST_CACHED = 20_000;

/**
 * The value of a tag in a column that holds all of them: a JSON object (FOCUS, AWS), the same without its braces (Azure), or a list of keys and values
 * (Google Cloud). Empty where there is none, or the text is none of these.
 */
export function readTags(text: string, tag: string): string {
  if (text === '' || text === 'null') return '';
  let tags = cache.get(text);
  if (!tags) {
    tags = parse(text);
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(text, tags);
  }
  return tags.get(tag) ?? '';
}

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
