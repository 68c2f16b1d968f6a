import type { Comparison, Finding } from '@bylaw/core/evaluate';
import type { NamedView } from '@bylaw/core/plugin';
import { columnsOf } from '@bylaw/core/report/page';
import { describe, expect, it } from 'vitest';
import { comparisonText } from './comparison-text.js';
import { differencesOf } from './differences.js';

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

const water: NamedView = {
  ...{ member: 'water_use', noun: 'water use', plugin: 'acme' },
  view: {
    ...{ description: 'Water.', schema: {}, column: 'Litres' },
    words: () => ({
      summary: ['Water use: +12,345.50 (+6,172.75 to +24,691.00) litres per month at the taps of the region, +12,300 %.'],
      items: [{ id: 'apps/Deployment/shop/recommendationservice', text: '+12,345.50 (+6,172.75 to +24,691.00) litres' }],
      ...{ unknown: [], unknownTotal: 0, sources: [] },
      warnings: ['Wells of another region are taken where no region is named or the lists do not have it.'],
    }),
  },
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
};

const added = { ...comparison, water_use: {} };
const text = (of: Comparison, width: number, views = [water]) => comparisonText(of, differencesOf(of, views), { width, colour: false });

describe('the text of a comparison', () => {
  it.each([60, 80])('breaks its lines between words at %i columns, and goes on further in', (width) => {
    const lines = text(added, width).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(lines).toContain('  ~ Deployment shop/recommendationservice');
    expect(lines.filter((line) => line.startsWith('    /spec/template'))).toHaveLength(1);
  });

  it('breaks no line where the output is no terminal', () => {
    expect(text(added, Number.POSITIVE_INFINITY)).toContain(
      `Deployment shop/recommendationservice: ${finding.message}\n    branch/manifests.yaml:46:11 ${finding.fix}\n`,
    );
  });

  it('has a section for what plugins add, named by its members', () => {
    expect(text(added, Number.POSITIVE_INFINITY)).toContain(`
Water use
  Water use: +12,345.50 (+6,172.75 to +24,691.00) litres per month at the taps of the region, +12,300 %.
    apps/Deployment/shop/recommendationservice: +12,345.50 (+6,172.75 to +24,691.00) litres
  Wells of another region are taken where no region is named or the lists do not have it.

`);
    expect(text(comparison, 80)).not.toContain('Water');
  });

  it('says so where the server adds what no plugin here can show', () => {
    expect(text({ ...comparison, ...{ heat: {} } }, 200)).toContain(
      '\nWater use\n  The server also compares `heat`. No plugin that is installed here can show it; --json prints it.\n',
    );
    expect(text({ ...comparison, ...{ heat: {} } }, 200, [])).toContain('\nOther differences\n  The server also compares `heat`.');
  });

  it('says which plugin fails to show its member, and shows the rest', () => {
    const words = () => {
      throw new TypeError('of the input');
    };
    const shown = text(added, 200, [{ ...water, view: { ...water.view, words } }]);
    expect(shown).toContain('Water use: unknown. The plugin acme cannot show it (TypeError).');
    expect(shown).not.toContain('of the input');
    expect(shown).toContain('Verdict: regressed');
  });
});
