import type { CelFunction } from '../function.js';
import type { Pattern } from '../pattern/pattern.js';
import { textOrEmpty } from '../standard/values.js';

/** Regular expressions. They run as RE2; a pattern is a literal and compiled with the expression. */
export const patterns: readonly CelFunction[] = [
  {
    signature: 'string.matches(pattern): bool',
    summary: 'Whether any part of the string matches the pattern.',
    example: '"nginx:1.27".matches("^nginx:[0-9.]+$")',
    call: (text: string, pattern: Pattern) => pattern.test(text),
  },
  {
    signature: 'matches(string, pattern): bool',
    summary: 'The same as a function.',
    example: 'matches("abc", "b")',
    call: (text: string, pattern: Pattern) => pattern.test(text),
  },
  {
    signature: 'string.find(pattern): string',
    summary: 'The first match, or the empty string.',
    example: '"abc 123".find("[0-9]+") == "123"',
    call: (text: string, pattern: Pattern) => pattern.find(text) ?? '',
  },
  {
    signature: 'lineOf(dyn, pattern): int',
    summary: 'The number of the first line of a string that matches, counted from 1; 0 if no line matches or the value is not a string.',
    example: 'lineOf("a: 1\\nb: 2", "^b:") == 2 && lineOf("a", "b") == 0 && lineOf(1, "1") == 0',
    call: (text: unknown, pattern: Pattern) =>
      BigInt(
        textOrEmpty(text)
          .split('\n')
          .findIndex((line) => pattern.test(line)) + 1,
      ),
  },
  {
    signature: 'string.findAll(pattern): list<string>',
    summary: 'All matches from left to right.',
    example: '"1 a 22".findAll("[0-9]+") == ["1", "22"]',
    call: (text: string, pattern: Pattern) => pattern.findAll(text),
  },
  {
    signature: 'string.findAll(pattern, int): list<string>',
    summary: 'The first matches, up to the given number (negative: all).',
    example: '"1 22 333".findAll("[0-9]+", 2) == ["1", "22"]',
    call: (text: string, pattern: Pattern, limit: bigint) => pattern.findAll(text, limit < 0n ? undefined : Number(limit)),
  },
];
