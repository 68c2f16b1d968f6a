import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exactSum } from '../number/index.js';
import { type CostTable, costTables, type Metric } from './index.js';

const folder = join(import.meta.dirname, 'testing', 'focus-1.2');
const totals = new Map<string, { rows: number; currency: string } & { [metric in Metric]?: number }>(
  Object.entries(JSON.parse(readFileSync(join(folder, 'totals.json'), 'utf8'))),
);

function totalOf(table: CostTable): number {
  return exactSum(table.leaves.flatMap(({ cost }) => [...cost].filter((value) => !Number.isNaN(value))));
}

describe('the examples of the specification of FOCUS', () => {
  it('are all here', () => {
    expect(readdirSync(folder).filter((name) => name.endsWith('.csv'))).toEqual([...totals.keys()]);
    expect(totals.size).toBe(26);
  });

  describe.each([...totals])('%s', (name, expected) => {
    const focus_csv = readFileSync(join(folder, name), 'utf8');

    it.each(['EffectiveCost', 'BilledCost', 'ListCost'] as const)('adds up to the total of its rows by %s', (metric) => {
      const total = expected[metric];
      if (total === undefined) {
        expect(() => costTables({ focus_csv, metric })).toThrow(expect.objectContaining({ code: 'cost-columns-missing' }));
        return;
      }
      for (const granularity of ['hour', 'day', 'week', 'month'] as const) {
        const [table, ...others] = costTables({ focus_csv, metric, granularity });
        expect(others).toEqual([]);
        expect(table).toMatchObject({ currency: expected.currency, rows: expected.rows, granularity });
        expect(table && totalOf(table)).toBeCloseTo(total, 8);
      }
    });
  });

  it('say which of their costs belong to which month', () => {
    const focus_csv = readFileSync(join(folder, 'saas_spend_agreements_b2.csv'), 'utf8');
    const [table] = costTables({ focus_csv, granularity: 'month' });
    expect(table?.buckets).toEqual(
      ['2025-04', '2025-05', '2025-06', '2025-07', '2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01', '2026-02'].map(
        (month) => `${month}-01`,
      ),
    );
    // The fee at the end of the contract is of one time and covers the year: it is on the first month, as the specification has it.
    const months = table?.buckets.map((_, at) => exactSum(table.leaves.map(({ cost }) => cost[at] || 0)));
    expect(months).toEqual([540, 120, 60, 60, 60, 60, 60, 60, 60, 60, 60]);
  });
});
