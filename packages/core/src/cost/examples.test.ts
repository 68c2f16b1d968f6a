import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exactSum } from '../number/index.js';
import { costFiles, costFilesAt } from './index.js';

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'cost');

describe('the example bills', () => {
  it.each([
    ['focus.csv', 'USD', 120, 604, { tax: 0, credit: 0, adjustment: 0, other: 0 }],
    ['aws-cur.csv', 'USD', 14, 58, { tax: 8.12, credit: -2, adjustment: 0, other: 0 }],
    ['gcp-export.jsonl', 'EUR', 14, 28, { tax: 0, credit: 0, adjustment: 0, other: 0 }],
    ['azure-export.csv', 'EUR', 14, 28, { tax: 0, credit: 0, adjustment: 0, other: 0 }],
  ])('%s is read', async (name, currency, buckets, rows, excluded) => {
    const [table, ...others] = await costFiles(await costFilesAt([join(folder, name)]), { group_by: ['tag:team'] });
    expect(others).toEqual([]);
    expect(table).toMatchObject({ currency, rows, excluded, warnings: [] });
    expect(table?.buckets).toHaveLength(buckets);
    expect(table?.leaves.map(({ dimensions }) => dimensions['tag:team'])).toContain('shop');
  });

  it('are all tried here', () => {
    expect(readdirSync(folder).sort()).toEqual(['aws-cur.csv', 'azure-export.csv', 'focus.csv', 'gcp-export.jsonl']);
  });

  it('of AWS costs effectively what its reservation spreads', async () => {
    const [table] = await costFiles(await costFilesAt([join(folder, 'aws-cur.csv')]), {});
    // Each day 1.06 used and 0.212 unused of the reservation, and 0.6095 for storage.
    const first = exactSum(table?.leaves.map(({ cost }) => cost[0] ?? 0) ?? []);
    expect(first).toBeCloseTo(0.192 * 24 + 1.06 + 0.212 + 0.6095, 9);
  });
});
