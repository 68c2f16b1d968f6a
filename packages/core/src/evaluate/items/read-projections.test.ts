import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../resource/index.js';
import { scanKinds } from './read-projections.js';

describe('scanning a document for its kind', () => {
  it.each([
    ['apiVersion: v1\nkind: Namespace\n', 'Namespace'],
    ['kind: "Namespace" # a comment\r\napiVersion: v1\r\n', 'Namespace'],
    ["'kind': 'Namespace'\n", 'Namespace'],
  ])('reads it from %j', (text, kind) => {
    expect(scanKinds(text)).toEqual(new Set([kind]));
  });

  it.each([
    ['{"kind":"Namespace"}'],
    ['kind: List\nitems: []'],
    ['kind: &a Namespace'],
    ['kind: >-\n  Namespace'],
    ['? kind\n: Namespace'],
    [''],
  ])('leaves %j to the parser', (text) => {
    expect(scanKinds(text)).toBeUndefined();
  });

  it('never misses the kind that the parser finds', () => {
    const quote = fc.constantFrom('', '"', "'");
    const document = fc.tuple(
      quote,
      fc.constantFrom('kind', 'kind '),
      quote,
      fc.constantFrom('Pod', 'Namespace', 'ConfigMap', 'PodList'),
      fc.constantFrom('', ' # x', ' '),
      fc.boolean(),
    );
    fc.assert(
      fc.property(document, ([q, key, v, kind, tail, crlf]) => {
        const text = ['apiVersion: v1', `${q}${key.trim()}${q}: ${v}${kind}${v}${tail}`, 'metadata:', '  name: x', '  kind: Other'].join(
          crlf ? '\r\n' : '\n',
        );
        const scanned = scanKinds(text);
        for (const resource of readDocument({ file: 'x', index: 0, text, line: 1 }).resources)
          expect(scanned?.has(resource.kind) ?? true).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
