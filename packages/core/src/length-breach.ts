import type { ErrorObject } from 'ajv';
import { plural } from './plural.js';

/** `must have at least 1 item`: the words for a value that is too short or too long, for which ajv writes `1 items`. Undefined for other breaches. */
export function lengthBreach({ keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>): string | undefined {
  const words = WORDS.get(keyword);
  const limit: unknown = params['limit'];
  if (words === undefined || typeof limit !== 'number') return undefined;
  const [bound, one, many] = words;
  return `must have ${bound} ${plural(limit, one, many)}`;
}

const WORDS: ReadonlyMap<string, readonly [bound: string, one: string, many: string]> = new Map([
  ['minItems', ['at least', 'item', 'items']],
  ['maxItems', ['at most', 'item', 'items']],
  ['minLength', ['at least', 'character', 'characters']],
  ['maxLength', ['at most', 'character', 'characters']],
  ['minProperties', ['at least', 'property', 'properties']],
  ['maxProperties', ['at most', 'property', 'properties']],
]);
