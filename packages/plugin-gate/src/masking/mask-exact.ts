import { isJsonObject, type Json } from '../json/index.js';
import { ADAPTER_SECRET, replacement } from './replacement.js';

/** What is shorter is found everywhere, and says nothing. */
const SHORTEST = 8;

/**
 * Tells whether any of the given texts occurs in a canonical text, in a name or a value, so that `exactMasker` would change it.
 * It may say so of what only looks like one, never the other way round; one look at the whole is far less work than the masker's.
 */
export function exactFinder(secrets: readonly string[]): (canonicalText: string) => boolean {
  // Within a text, JSON writes each character by itself.
  const known = secrets.filter((secret) => secret.length >= SHORTEST).map((secret) => JSON.stringify(secret).slice(1, -1));
  return (text) => known.some((secret) => text.includes(secret));
}

/** Replaces the given texts wherever they occur, in names, too. Those under 8 characters are not looked for. */
export function exactMasker(secrets: readonly string[]): (value: Json) => Json {
  const known = secrets.filter((secret) => secret.length >= SHORTEST);
  if (known.length === 0) return (value) => value;
  const shortest = Math.min(...known.map((secret) => secret.length));
  // Of two that begin alike, the longer one is tried first.
  const longestFirst = known.toSorted((a, b) => b.length - a.length).map((secret) => secret.replace(/[\\^$.|?+*(){}[\]]/g, '\\$&'));
  const pattern = new RegExp(longestFirst.join('|'), 'g');
  const maskText = (text: string) => (text.length < shortest ? text : text.replace(pattern, replacement(ADAPTER_SECRET)));
  const mask = (value: Json): Json => {
    if (typeof value === 'string') return maskText(value);
    if (typeof value !== 'object' || value === null) return value;
    return isJsonObject(value) ? maskObject(value) : maskList(value);
  };
  const maskList = (list: readonly Json[]) => {
    const masked = list.map(mask);
    return masked.every((value, index) => value === list[index]) ? list : masked;
  };
  const maskObject = (object: { readonly [name: string]: Json }) => {
    let changed = false;
    const members = Object.keys(object).map((name): [string, Json] => {
      const value = object[name] ?? null;
      const member: [string, Json] = [maskText(name), mask(value)];
      changed ||= member[0] !== name || member[1] !== value;
      return member;
    });
    return changed ? Object.fromEntries(members) : object;
  };
  return mask;
}
