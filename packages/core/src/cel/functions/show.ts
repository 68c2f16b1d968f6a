import { entriesOf, isMap, present } from '../standard/values.js';

const MAX_LENGTH = 80;

/** A value as a message shows it: one line, at most `longest` (80) characters, the same for the same value. Total. */
export function show(value: unknown, longest: number = MAX_LENGTH): string {
  const inner = present(value);
  const text = typeof inner === 'string' ? inner : json(inner, longest + 1);
  return cut(oneLine(text), longest);
}

/** Control characters would break a terminal or a report; they are shown escaped. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => JSON.stringify(character).slice(1, -1));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const characters = Array.from(text.slice(0, (longest + 1) * 2));
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Compact JSON, given up once it is longer than `budget`: what follows would be cut anyway. */
function json(value: unknown, budget: number): string {
  if (value === null || value === undefined) return 'absent';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, budget));
  if (Array.isArray(value)) return `[${joined(value, budget, (item, left) => json(item, left))}]`;
  if (isMap(value)) return `{${joined(entriesOf(value), budget, ([key, item], left) => `${JSON.stringify(key)}:${json(item, left)}`)}}`;
  return String(value);
}

function joined<T>(items: readonly T[], budget: number, one: (item: T, left: number) => string): string {
  let text = '';
  for (const item of items) {
    if (text.length > budget) break;
    text += (text === '' ? '' : ',') + one(item, budget - text.length);
  }
  return text;
}
