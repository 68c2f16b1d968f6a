import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { complianceMap } from './compliance-map.js';
import { naturalOrder } from './natural-order.js';

const RULES = [
  {
    id: 'CS-001',
    frameworks: ['PSS-BASELINE', 'CIS-K8S-1.10:5.2.10', 'CIS-K8S-1.10:5.2.2', 'NSA-K8S', 'MITRE-ATTACK:T1611', 'ACME-2.0:x'],
  },
  { id: 'CS-002', frameworks: ['PSS-RESTRICTED', 'CIS-K8S-1.10:5.2.10', 'NSA-K8S', 'PSS-BASELINE'] },
  { id: 'CS-003', frameworks: [] },
];

describe('the compliance map', () => {
  it('lists frameworks and controls in natural order, with how many controls there are where that is known', () => {
    const [acme, cis, attack, nsa, pss] = complianceMap(RULES).frameworks;
    expect(acme).toEqual({
      id: 'ACME-2.0',
      title: 'ACME',
      version: '2.0',
      controls: [{ id: 'x', rules: ['CS-001'] }],
      coverage: { controls_mapped: 1, controls_total: null, rules: 1 },
      uncovered: [],
    });
    expect(cis).toMatchObject({
      id: 'CIS-K8S-1.10',
      title: 'CIS Benchmark for Kubernetes',
      version: '1.10',
      controls: [
        { id: '5.2.2', title: 'No privileged containers', rules: ['CS-001'] },
        { id: '5.2.10', title: 'No capabilities assigned', rules: ['CS-001', 'CS-002'] },
      ],
      coverage: { controls_mapped: 2, controls_total: 130, rules: 2 },
    });
    expect(cis?.uncovered).toHaveLength(128);
    expect(cis?.uncovered.slice(0, 2)).toEqual([
      { id: '1.1.1', title: 'API server manifest: file mode' },
      { id: '1.1.2', title: 'API server manifest: file owner' },
    ]);
    expect(attack).toMatchObject({
      id: 'MITRE-ATTACK',
      version: null,
      controls: [{ id: 'T1611', title: 'Escape to Host', rules: ['CS-001'] }],
      coverage: { controls_mapped: 1, controls_total: null, rules: 1 },
      uncovered: [],
    });
    expect(nsa).toMatchObject({ version: '1.2', controls: [{ id: 'NSA-K8S', rules: ['CS-001', 'CS-002'] }], uncovered: [] });
    expect(pss).toEqual({
      id: 'PSS',
      title: 'Kubernetes Pod Security Standards',
      version: '1.36',
      controls: [
        { id: 'BASELINE', title: 'Baseline', rules: ['CS-001', 'CS-002'] },
        { id: 'RESTRICTED', title: 'Restricted', rules: ['CS-002'] },
      ],
      coverage: { controls_mapped: 2, controls_total: null, rules: 2 },
      uncovered: [],
    });
  });

  it('counts the controls of a framework once a rule names one of them, and keeps apart what names none', () => {
    const rules = [
      { id: 'CS-007', frameworks: ['PSS-BASELINE:hostPorts'] },
      { id: 'X-001', frameworks: ['PSS-RESTRICTED', 'PSS', 'PSS-BASELINE:nothing'] },
    ];
    const [pss] = complianceMap(rules).frameworks;
    expect(pss?.controls).toEqual([
      { id: 'BASELINE:hostPorts', title: 'Host Ports', rules: ['CS-007'] },
      { id: 'BASELINE:nothing', rules: ['X-001'], unlisted: true },
      { id: 'PSS', rules: ['X-001'], unlisted: true },
      { id: 'RESTRICTED', title: 'Restricted', rules: ['X-001'], unlisted: true },
    ]);
    expect(pss?.coverage).toEqual({ controls_mapped: 1, controls_total: 19, rules: 2 });
    expect(pss?.uncovered).toHaveLength(18);
  });

  it('keeps to the frameworks and the items that were asked for', () => {
    expect(complianceMap(RULES, ['pss-restricted'])).toMatchObject({
      frameworks: [{ id: 'PSS', controls: [{ id: 'RESTRICTED', rules: ['CS-002'] }] }],
      total: 1,
    });
    expect(complianceMap(RULES, ['CIS-K8S:5.2', 'NSA-K8S'])).toMatchObject({
      frameworks: [{ id: 'CIS-K8S-1.10', coverage: { controls_mapped: 2, controls_total: 13 } }, { id: 'NSA-K8S' }],
      total: 2,
    });
  });

  it('refuses a framework that no rule maps to', () => {
    expect(() => complianceMap(RULES, ['PSS', 'SOC2'])).toThrow(BylawError);
  });

  it('is empty for no rules, and survives hostile names', () => {
    expect(complianceMap([])).toEqual({ frameworks: [], total: 0 });
    expect(complianceMap([{ id: 'X-001', frameworks: ['__proto__:constructor'] }]).frameworks[0]).toMatchObject({
      id: '__proto__',
      title: '__proto__',
      controls: [{ id: 'constructor', rules: ['X-001'] }],
    });
    expect(complianceMap([{ id: 'X-001', frameworks: ['NIST-800-53:__proto__', 'NIST-800-53:AC-6'] }]).frameworks[0]).toMatchObject({
      controls: [{ id: 'AC-6' }, { id: '__proto__', unlisted: true }],
      coverage: { controls_mapped: 1, controls_total: 1014 },
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
