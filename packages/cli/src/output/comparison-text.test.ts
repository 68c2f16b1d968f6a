import type { Comparison, CostDifference, Finding } from '@bylaw/core/evaluate';
import { columnsOf } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { comparisonText } from './comparison-text.js';

const finding: Finding = {
  rule_id: 'CS-021',
  category: 'CS',
  severity: 'MEDIUM',
  title: 'Containers are required to run as non-root',
  status: 'fail',
  resource: { api_version: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'recommendationservice' },
  location: { file: 'branch/manifests.yaml', line: 46, column: 11 },
  path: '/spec',
  message: 'container server may run as root: the pod sets runAsNonRoot: false',
  fix: 'Set runAsNonRoot: true at pod level and do not override it.',
  frameworks: [],
};

const money = (amount: number) => ({ amount, low: amount / 2, high: 2 * amount, currency: 'USD' });

const cost: CostDifference = {
  period_hours: 730,
  ...{ current: money(100), proposed: money(12445.5), delta: money(12345.5), percent: 12345.5 },
  per_item: [{ id: 'apps/Deployment/shop/recommendationservice', delta: money(12345.5), price: 'm5.xlarge' }],
  ...{ per_item_total: 1, unpriced: [], unpriced_total: 0, sources: [] },
  warnings: ['Prices of another region are taken where no region is named or the lists do not have it.'],
};

const comparison: Comparison = {
  verdict: 'regressed',
  score: { current: 92.4, proposed: 89.9, delta: -2.5 },
  ...{
    introduced: [finding],
    resolved: [finding],
    unchanged: 3,
    not_comparable: 0,
    errors: [],
    notes: [],
    unchecked: { current: [], proposed: [] },
  },
  changes: [
    { change: 'modified', resource: finding.resource, paths: ['/spec/template/spec/securityContext/runAsNonRoot', '/spec/replicas'] },
  ],
  cost,
};

describe('the text of a comparison', () => {
  it.each([60, 80])('breaks its lines between words at %i columns, and goes on further in', (width) => {
    const lines = comparisonText(comparison, { width, colour: false }).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(lines).toContain('  ~ Deployment shop/recommendationservice');
    expect(lines.filter((line) => line.startsWith('    /spec/template'))).toHaveLength(1);
  });

  it('breaks no line where the output is no terminal', () => {
    const text = comparisonText(comparison, { width: Number.POSITIVE_INFINITY, colour: false });
    expect(text).toContain(`Deployment shop/recommendationservice: ${finding.message}\n    branch/manifests.yaml:46:11 ${finding.fix}\n`);
  });

  it('separates thousands', () => {
    const text = comparisonText(comparison, { width: 200, colour: false });
    expect(text).toContain('Cost: +12,345.50 (+6,172.75 to +24,691.00) USD per month at list prices');
  });
});
