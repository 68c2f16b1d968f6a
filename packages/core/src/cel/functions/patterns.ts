import type { CelFunction } from '../function.js';
import type { Pattern } from '../pattern.js';

/** Regular expressions. They run as RE2; a pattern is a literal and compiled with the expression. */
export const patterns: readonly CelFunction[] = [
  {
    signature: 'string.matches(pattern): bool',
    summary: 'Whether some part of the string matches.',
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
    signature: 'string.findAll(pattern): list<string>',
    summary: 'All matches from left to right.',
    example: '"1 a 22".findAll("[0-9]+") == ["1", "22"]',
    call: (text: string, pattern: Pattern) => pattern.findAll(text),
  },
  {
    signature: 'string.findAll(pattern, int): list<string>',
    summary: 'The first matches, at most as many as the number says (negative: all).',
    example: '"1 22 333".findAll("[0-9]+", 2) == ["1", "22"]',
    call: (text: string, pattern: Pattern, limit: bigint) => pattern.findAll(text, limit < 0n ? undefined : Number(limit)),
  },
];
