import { failure } from '../budget/budget.js';
import { spendOnNewText, spendOnParts, spendOnSearch } from '../budget/costs.js';
import { type CelFunction, celNamespace } from '../function.js';
import { format } from './format.js';

export const stringsNamespace = celNamespace('strings');

/** The CEL string extensions. Positions count Unicode code points, as everywhere in CEL. */
export const strings: readonly CelFunction[] = [
  {
    signature: 'string.charAt(int): string',
    summary: 'The character at a position; the empty string at the end.',
    example: '"tacocat".charAt(0) == "t" && "a".charAt(1) == ""',
    call: (text: string, index: bigint) => {
      const points = charactersOf(text);
      return points[position(index, points.length, 'charAt')] ?? '';
    },
  },
  {
    signature: 'string.indexOf(string): int',
    summary: 'The position of the first occurrence, or -1.',
    example: '"hello".indexOf("l") == 2',
    replaces: true,
    call: (text: string, part: string) => firstIndex(text, part, 0),
  },
  {
    signature: 'string.indexOf(string, int): int',
    summary: 'The same, starting at a position.',
    example: '"hello".indexOf("l", 3) == 3',
    replaces: true,
    call: (text: string, part: string, from: bigint) => firstIndex(text, part, position(from, charactersOf(text).length, 'indexOf')),
  },
  {
    signature: 'string.lastIndexOf(string): int',
    summary: 'The position of the last occurrence, or -1.',
    example: '"hello".lastIndexOf("l") == 3',
    replaces: true,
    call: (text: string, part: string) => lastIndex(text, part, Number.POSITIVE_INFINITY),
  },
  {
    signature: 'string.lastIndexOf(string, int): int',
    summary: 'The same, up to a position.',
    example: '"hello".lastIndexOf("l", 2) == 2',
    replaces: true,
    call: (text: string, part: string, from: bigint) => lastIndex(text, part, position(from, charactersOf(text).length, 'lastIndexOf')),
  },
  {
    signature: 'string.lowerAscii(): string',
    summary: 'The string with the letters A to Z in lower case.',
    example: '"NGINX Ä".lowerAscii() == "nginx Ä"',
    replaces: true,
    // Nearly every text is in lower case already, which is told faster than it is copied.
    call: (text: string) => (/[A-Z]/.test(text) ? replaced(text, /[A-Z]+/g, (letters) => letters.toLowerCase()) : text),
  },
  {
    signature: 'string.upperAscii(): string',
    summary: 'The string with the letters a to z in upper case.',
    example: '"nginx ä".upperAscii() == "NGINX ä"',
    replaces: true,
    call: (text: string) => replaced(text, /[a-z]+/g, (letters) => letters.toUpperCase()),
  },
  {
    signature: 'string.replace(string, string): string',
    summary: 'The string with every occurrence of the first argument replaced by the second.',
    example: '"a-b-c".replace("-", "+") == "a+b+c"',
    call: (text: string, from: string, to: string) => replace(text, from, to, Number.POSITIVE_INFINITY),
  },
  {
    signature: 'string.replace(string, string, int): string',
    summary: 'The same for the given number of occurrences from the left (negative: all).',
    example: '"a-b-c".replace("-", "+", 1) == "a+b-c"',
    call: (text: string, from: string, to: string, limit: bigint) =>
      replace(text, from, to, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)),
  },
  {
    signature: 'string.split(string): list<string>',
    summary: 'The parts between the separators. An empty separator splits the string into characters.',
    example: '"a,b".split(",") == ["a", "b"]',
    replaces: true,
    call: (text: string, separator: string) => split(text, separator, -1n),
  },
  {
    signature: 'string.split(string, int): list<string>',
    summary: 'The same with at most the given number of parts; the last part contains the rest (negative: all).',
    example: '"a=b=c".split("=", 2) == ["a", "b=c"]',
    replaces: true,
    call: split,
  },
  {
    signature: 'string.substring(int): string',
    summary: 'The string from a position to its end.',
    example: '"tacocat".substring(4) == "cat"',
    replaces: true,
    call: (text: string, start: bigint) => {
      const points = charactersOf(text);
      return points.slice(position(start, points.length, 'substring')).join('');
    },
  },
  {
    signature: 'string.substring(int, int): string',
    summary: 'The string from the first position up to, but not including, the second.',
    example: '"tacocat".substring(0, 4) == "taco"',
    replaces: true,
    call: (text: string, start: bigint, end: bigint) => {
      const points = charactersOf(text);
      if (start > end) throw failure('substring() starts after its end');
      return points.slice(position(start, points.length, 'substring'), position(end, points.length, 'substring')).join('');
    },
  },
  {
    signature: 'string.trim(): string',
    summary: 'The string without white space at both ends.',
    example: '" a ".trim() == "a"',
    replaces: true,
    call: (text: string) => text.replace(/^\p{White_Space}+/u, '').replace(/(?<!\p{White_Space})\p{White_Space}+$/u, ''),
  },
  {
    signature: 'string.reverse(): string',
    summary: 'The string with its characters in reverse order.',
    example: '"abc".reverse() == "cba"',
    call: (text: string) => charactersOf(text).reverse().join(''),
  },
  {
    signature: 'string.format(list): string',
    summary: 'The string with the clauses %s %d %f %e %b %o %x %X replaced by the values of the list, formatted as CEL specifies.',
    example: '"%s has %d of %.1f".format(["web", 2, 3.14]) == "web has 2 of 3.1"',
    call: (template: string, values: readonly unknown[]) => format(template, values),
  },
  {
    signature: 'bylaw.strings.quote(string): string',
    summary: 'The string in double quotes, with special characters escaped.',
    example: String.raw`strings.quote("a\"b") == "\"a\\\"b\""`,
    call: (_strings: object, text: string) => quote(text),
  },
];

/** The code points of a text, each a text. */
function charactersOf(text: string): string[] {
  spendOnParts(text);
  return Array.from(text);
}

function partsOf(text: string, separator: string): string[] {
  spendOnSearch(text, separator);
  spendOnParts(text);
  return text.split(separator);
}

function replaced(text: string, pattern: RegExp, by: (match: string) => string): string {
  spendOnParts(text);
  return text.replace(pattern, by);
}

/** @throws when the position is not within 0 and the length. */
function position(index: bigint, length: number, name: string): number {
  if (index < 0n || index > BigInt(length)) throw failure(`${name}() position ${index} is out of range`);
  return Number(index);
}

function firstIndex(text: string, part: string, from: number): bigint {
  const start = charactersOf(text).slice(0, from).join('').length;
  spendOnSearch(text, part);
  return pointIndex(text, text.indexOf(part, start));
}

function lastIndex(text: string, part: string, from: number): bigint {
  const start = Number.isFinite(from) ? charactersOf(text).slice(0, from).join('').length : Number.POSITIVE_INFINITY;
  spendOnSearch(text, part);
  return pointIndex(text, text.lastIndexOf(part, start));
}

function pointIndex(text: string, unitIndex: number): bigint {
  return BigInt(unitIndex < 0 ? -1 : charactersOf(text.slice(0, unitIndex)).length);
}

/** Longer than any message or name; many replacements in a long text could otherwise multiply it. */
const MAX_RESULT = 16 * 1024 * 1024;

/** Steps of adding a part to a text, beside those of its characters. */
const PER_PART = 10;

function replace(text: string, from: string, to: string, limit: number): string {
  let left = limit;
  const parts = from === '' ? ['', ...charactersOf(text), ''] : partsOf(text, from);
  let result = parts[0] ?? '';
  for (const part of parts.slice(1)) {
    const join = left > 0 ? to : from;
    left -= 1;
    spendOnNewText(PER_PART + join.length + part.length);
    result += join + part;
    if (result.length > MAX_RESULT) throw failure('the result of replace() is too long');
  }
  return result;
}

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? charactersOf(text) : partsOf(text, separator);
  const count = Number(limit);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

const ESCAPES: { readonly [character: string]: string } = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  return `"${charactersOf(text.toWellFormed())
    .map((character) => ESCAPES[character] ?? character)
    .join('')}"`;
}
