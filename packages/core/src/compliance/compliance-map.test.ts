import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { complianceMap } from './compliance-map.js';
import { naturalOrder } from './natural-order.js';

const RULES = [
  { id: 'CS-001', frameworks: ['PSS-BASELINE', 'CIS-K8S-1.10:5.2.10', 'NSA-K8S', 'MITRE-ATTACK:T1611', 'ACME-2.0:x'] },
  { id: 'CS-002', frameworks: ['PSS-RESTRICTED', 'CIS-K8S-1.10:5.2.2', 'NSA-K8S', 'PSS-BASELINE'] },
  { id: 'CS-003', frameworks: [] },
];

describe('the compliance map', () => {
  it('lists frameworks and controls in natural order, with titles only where they are free', () => {
    expect(complianceMap(RULES)).toEqual({
      frameworks: [
        {
          id: 'ACME-2.0',
          title: 'ACME',
          version: '2.0',
          controls: [{ id: 'x', rules: ['CS-001'] }],
          coverage: { controls_mapped: 1, rules: 1 },
        },
        {
          id: 'CIS-K8S-1.10',
          title: 'CIS Benchmark for Kubernetes',
          version: '1.10',
          controls: [
            { id: '5.2.2', rules: ['CS-002'] },
            { id: '5.2.10', rules: ['CS-001'] },
          ],
          coverage: { controls_mapped: 2, rules: 2 },
        },
        {
          id: 'MITRE-ATTACK',
          title: 'MITRE ATT&CK, Enterprise techniques',
          version: null,
          controls: [{ id: 'T1611', title: 'Escape to Host', rules: ['CS-001'] }],
          coverage: { controls_mapped: 1, rules: 1 },
        },
        {
          id: 'NSA-K8S',
          title: 'NSA and CISA Kubernetes hardening guidance',
          version: '1.2',
          controls: [{ id: 'NSA-K8S', rules: ['CS-001', 'CS-002'] }],
          coverage: { controls_mapped: 1, rules: 2 },
        },
        {
          id: 'PSS',
          title: 'Kubernetes Pod Security Standards',
          version: null,
          controls: [
            { id: 'BASELINE', title: 'Baseline', rules: ['CS-001', 'CS-002'] },
            { id: 'RESTRICTED', title: 'Restricted', rules: ['CS-002'] },
          ],
          coverage: { controls_mapped: 2, rules: 2 },
        },
      ],
      total: 5,
    });
  });

  it('keeps to the framework and the items that were asked for', () => {
    expect(complianceMap(RULES, 'pss-restricted')).toMatchObject({
      frameworks: [{ id: 'PSS', controls: [{ id: 'RESTRICTED', rules: ['CS-002'] }] }],
      total: 1,
    });
  });

  it('refuses a framework that no rule maps to', () => {
    expect(() => complianceMap(RULES, 'SOC2')).toThrow(BylawError);
  });

  it('is empty for no rules, and survives hostile names', () => {
    expect(complianceMap([])).toEqual({ frameworks: [], total: 0 });
    expect(complianceMap([{ id: 'X-001', frameworks: ['__proto__:constructor'] }]).frameworks[0]).toMatchObject({
      id: '__proto__',
      title: '__proto__',
      controls: [{ id: 'constructor', rules: ['X-001'] }],
    });
  });
});

describe('the natural order', () => {
  it('counts numbers as numbers', () => {
    expect(['AC-12', 'AC-6(10)', '5.2.10', 'AC-6', '5.2.2', 'AC-6(5)'].sort(naturalOrder)).toEqual([
      '5.2.2',
      '5.2.10',
      'AC-6',
      'AC-6(5)',
      'AC-6(10)',
      'AC-12',
    ]);
  });

  it('is a total order', () => {
    const text = fc.stringMatching(/^[a.0-9(]{0,6}$/);
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0);
        expect(naturalOrder(a, b) === 0).toBe(a === b);
        if (naturalOrder(a, b) <= 0 && naturalOrder(b, c) <= 0) expect(naturalOrder(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 10_000 },
    );
  });
});
