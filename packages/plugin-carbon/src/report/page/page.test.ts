import { describe, expect, it } from 'vitest';
import { makeReport } from '../report.js';
import type { ReportRequest } from '../types.js';
import { reportPage } from './page.js';
import { factorName } from './page-text.js';

const HOSTILE = '<script>alert(1)</script>';
const REQUEST = {
  ...{ provider: 'aws', region: 'eu-central-1', title: `Shop ${HOSTILE}`, target: { percent: 10 } },
  usage: [
    { id: HOSTILE, instance_type: 'm5.xlarge', hours: 730 },
    { id: 'api', instance_type: 'm5.large', hours: 730 },
    { id: 'odd', instance_type: HOSTILE, hours: 730 },
  ],
  baseline: { provider: 'aws', region: 'us-east-1', usage: [{ id: 'api', instance_type: 'm5.large', hours: 730 }] },
} satisfies ReportRequest;

const pageOf = async (request: ReportRequest) => reportPage(await makeReport(request));

describe('a report as a page', () => {
  it('has a chart with its table for groups, change, reductions and what is uncertain', async () => {
    const page = await pageOf(REQUEST);
    for (const title of [
      'Totals',
      'By region',
      'Largest items',
      'Since the baseline',
      'Target',
      'Reductions',
      'Uncertainty',
      'Method',
      'Factors',
      'Not covered',
      'Data',
    ])
      expect(page).toContain(`<h2>${title}</h2>`);
    const charts = page.match(/<svg [\s\S]*?<\/svg>/g) ?? [];
    expect(charts).toHaveLength(4);
    for (const chart of charts) expect(chart).toMatch(/<title[^>]*>.+<\/title><desc[^>]*>.+<\/desc>/);
    expect(page.match(/<table>/g)?.length).toBeGreaterThan(charts.length);
  });

  it('names factors in words, and what the chances are of', async () => {
    const page = await pageOf(REQUEST);
    expect(page).not.toMatch(/<td class="t">[a-z0-9]+_[a-z_]+<\/td>/);
    for (const part of ['grid g CO2e per kWh', 'PUE', 'Chance of a decrease', 'target of']) expect(page).toContain(part);
    expect(page).toMatch(/90 % range: [\d.]+ to [\d.]+/);
  });

  it('calls the GB of memory GiB, and no other', () => {
    expect(['memory_watts_per_gb', 'network_kwh_per_gb', 'ssd_watts_per_tb', 'memory'].map(factorName)).toEqual([
      'memory watts per GiB',
      'network kWh per GB',
      'SSD watts per TB',
      'memory',
    ]);
  });

  it('runs and loads nothing, and shows hostile names as text', async () => {
    const page = await pageOf(REQUEST);
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    expect(page).toContain('&lt;script&gt;');
    expect(page).toBe(await pageOf(REQUEST));
  });

  it('of nothing is still a page', async () => {
    expect(await pageOf({ provider: 'aws', region: 'eu-west-1', manifests: [] })).toContain('0 kg');
  });
});
