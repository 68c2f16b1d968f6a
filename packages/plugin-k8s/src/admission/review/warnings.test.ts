import type { Finding } from '@bylaw/core/evaluate';
import { SEVERITIES } from '@bylaw/core/rule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { denialText } from './denial.js';
import { fitting, MAX_WARNING, MAX_WARNINGS, warningsOf } from './warnings.js';

function finding(more: Partial<Finding> = {}): Finding {
  return {
    rule_id: 'CS-001',
    category: 'CS',
    severity: 'HIGH',
    title: 'A title',
    status: 'fail',
    resource: { api_version: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' },
    location: null,
    path: '/spec',
    message: 'something is wrong',
    fix: 'Mend it.',
    frameworks: [],
    ...more,
  };
}

const texts = fc.string({ unit: 'binary', maxLength: 2000 });
const findings = fc.array(
  fc
    .record({
      rule_id: fc.constantFrom('CS-001', 'CS-002', 'SP-003', 'XX-004', ...'abcdefghijklmnop'),
      severity: fc.constantFrom(...SEVERITIES),
      path: texts,
      message: texts,
      title: texts,
      fix: texts,
    })
    .map(finding),
  { maxLength: 60 },
);

describe('warnings', () => {
  it('keep to printable ASCII and to the bounds of API servers, whatever is found', () => {
    fc.assert(
      fc.property(findings, fc.array(texts, { maxLength: 5 }), (found, others) => {
        const warnings = warningsOf(found, others);
        expect(warnings.every((line) => line.length <= MAX_WARNING && /^[ -~]*$/.test(line))).toBe(true);
        expect(warnings.join('').length).toBeLessThanOrEqual(MAX_WARNINGS);
        expect(warnings.length === 0).toBe(found.length + others.length === 0);
      }),
      { numRuns: 200 },
    );
  });

  it('are one for each rule, and tell how many places there are', () => {
    const found = [finding(), finding({ path: '/a' }), finding({ rule_id: 'CS-002', severity: 'LOW', path: '' }), finding({ path: '/b' })];
    expect(warningsOf(found, ['more'])).toEqual([
      'CS-001 HIGH: something is wrong (at /spec and 2 more places)',
      'CS-002 LOW: something is wrong (at the object)',
      'more',
    ]);
    expect(warningsOf([finding(), finding()])[0]).toContain('and 1 more place)');
  });

  it('end with how many are left out', () => {
    const found = Array.from({ length: 14 }, (_, index) => finding({ rule_id: `CS-${index}` }));
    const warnings = warningsOf(found);
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe('and 4 more; `bylaw evaluate` lists all findings of a manifest');
  });

  it('are cut where they are too long, and write signs otherwise', () => {
    expect(fitting('x'.repeat(300))).toBe(`${'x'.repeat(253)}...`);
    expect(fitting('“a” – ‘b’… ü\u001b[31m\nc\u202e')).toBe('"a" - \'b\'... ? c');
  });
});

describe('a denial', () => {
  it('is bounded and printable, whatever is found', () => {
    fc.assert(
      fc.property(findings, texts, (found, kind) => {
        const text = denialText(found, kind);
        expect(text.length).toBeLessThan(11_000);
        expect(text.split('\n').length).toBeLessThanOrEqual(12);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
      { numRuns: 200 },
    );
  });

  it('names rule, severity, title, what is wrong, where, and the remedy', () => {
    expect(denialText([finding(), finding({ path: '/a' }), finding({ rule_id: 'CS-009', message: 'A title' })], 'Pod')).toBe(
      '2 rules forbid this Pod:\n- CS-001 HIGH A title: something is wrong (at /spec and 1 more place). Mend it.\n- CS-009 HIGH A title (at /spec). Mend it.',
    );
    const many = Array.from({ length: 12 }, (_, index) => finding({ rule_id: `CS-${index}` }));
    expect(denialText(many, 'Pod')).toMatch(/^12 rules forbid[\s\S]*\nand 2 more\.$/);
  });
});
