import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from './namespace-selector.js';

describe('a selector of namespaces', () => {
  it.each([
    ['team=shop', { key: 'team', operator: 'In', values: ['shop'] }],
    ['team == shop', { key: 'team', operator: 'In', values: ['shop'] }],
    ['example.com/tier!=db', { key: 'example.com/tier', operator: 'NotIn', values: ['db'] }],
    ['zone in (a, b)', { key: 'zone', operator: 'In', values: ['a', 'b'] }],
    ['zone notin (a)', { key: 'zone', operator: 'NotIn', values: ['a'] }],
    ['managed', { key: 'managed', operator: 'Exists' }],
    ['!legacy', { key: 'legacy', operator: 'DoesNotExist' }],
    ['empty=', { key: 'empty', operator: 'In', values: [''] }],
  ])('is read as kubectl reads it: %s', (text, requirement) => {
    expect(parseLabelSelector(text)).toEqual({ matchExpressions: [requirement] });
  });

  it('may have several requirements', () => {
    expect(parseLabelSelector('zone in (a,b),!legacy , team=shop').matchExpressions).toHaveLength(3);
  });

  it.each(['', 'a=b=c', 'a b', '-a=b', 'zone in ()a', 'zone in (a', 'a=,,', `${'x'.repeat(64)}=a`])(
    'is refused where it is none: %j',
    (text) => {
      expect(() => parseLabelSelector(text)).toThrow('The namespace selector is invalid');
    },
  );

  it('never takes long to be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '-', ',', '(', ')', ' ', '=', '!'), maxLength: 5_000 }), (text) => {
        try {
          parseLabelSelector(text);
        } catch (error) {
          expect(String(error)).toContain('The namespace selector is invalid');
        }
      }),
      { numRuns: 50 },
    );
  });
});
