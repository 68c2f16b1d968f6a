import { expect, it } from 'vitest';
import { preferredType } from './negotiate.js';

const OFFERED = ['application/json', 'text/html', 'text/csv'] as const;

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['text/*', 'text/html'],
  ['text/*;q=0.5, text/csv', 'text/csv'],
  ['text/html;q=0.9, application/json;q=0.9', 'application/json'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'text/html'],
  ['application/json;q=0, */*;q=0.1', 'text/html'],
])('a client that accepts %s would rather have %s', (accept, type) => {
  expect(preferredType(accept, OFFERED)).toBe(type);
});
