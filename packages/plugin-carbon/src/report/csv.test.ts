import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { reportCsv } from './csv.js';
import { makeReport } from './report.js';

const MANIFESTS = ['=cmd|"calc"', '+1', '\u001b-1', '@sum', 'plain, with "quotes"\nand lines'].map((name) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: name, labels: { team: name } },
  spec: { template: { spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1', memory: '1Gi' } } }] } } },
}));

const made = () =>
  makeReport({
    manifests: MANIFESTS,
    provider: 'aws',
    region: 'eu-west-1',
    period: { start: '2026-01-01', end: '2026-02-01' },
    group_by: ['namespace', 'region', 'tag:team'],
  });

describe('a report as CSV', () => {
  it('has a row per item and component, whose emissions add up to the total', async () => {
    const one = await made();
    const rows = parse(reportCsv(one), { columns: true, recordDelimiter: '\r\n' }) as { [column: string]: string }[]; // with a header
    expect(rows.map(({ component }) => component).slice(0, 4)).toEqual(['cpu', 'memory', 'overhead', 'embodied']);
    expect(rows).toHaveLength(MANIFESTS.length * 4);
    const sum = (column: string) => rows.reduce((all, row) => all + Number(row[column]), 0);
    expect(sum('kg_co2e')).toBeCloseTo(one.report.total.kg_co2e.central, 3);
    expect(sum('energy_kwh')).toBeCloseTo(one.report.total.energy_kwh.central, 3);
    expect(Object.keys(rows[0] ?? {}).slice(-2)).toEqual(['namespace', 'tag:team']);
    expect(rows[0]).toMatchObject({ period_start: '2026-01-01', period_end: '2026-02-01' });
  });

  it('holds no character that a terminal would obey', async () => {
    expect(reportCsv(await made())).not.toMatch(/(?![\r\n])\p{Cc}/u);
  });

  it('holds no text that a spreadsheet would compute, and numbers as numbers', async () => {
    const rows = parse(reportCsv(await made()), { recordDelimiter: '\r\n' }) as string[][]; // without a header
    for (const cell of rows.flat()) expect(cell).toMatch(/^(?![=+\-@\t\r])|^-?[0-9.]+(e-?[0-9]+)?$/);
    expect(new Set(rows.slice(1).map((row) => row.at(-1)))).toEqual(
      new Set([`'=cmd|"calc"`, `'+1`, `'-1`, `'@sum`, 'plain, with "quotes"\nand lines']),
    );
  });
});
