import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driversOf, type LeafShare } from './drivers.js';
import { leafOf } from './series.test-support.js';

const share = (service: string, region: string, actual: number, expected: number): LeafShare => ({
  leaf: leafOf({ service, region }, new Float64Array(1)),
  actual,
  expected,
});

describe('the drivers of an event', () => {
  it('are the one leaf that moved', () => {
    const [first] = driversOf(
      [share('a', 'x', 100, 100), share('a', 'y', 400, 100), share('b', 'x', 50, 50), share('b', 'y', 80, 80)],
      ['region', 'service'],
      3,
    );
    expect(first).toMatchObject({ dimensions: { region: 'y', service: 'a' }, share: 1, actual: 400, expected: 100 });
    expect(first?.score).toBeCloseTo(0.98, 9);
  });

  it('are one dimension where all of its leaves moved alike', () => {
    const [first] = driversOf(
      [share('a', 'x', 200, 100), share('a', 'y', 20, 10), share('b', 'x', 50, 50), share('b', 'y', 80, 80)],
      ['region', 'service'],
      3,
    );
    expect(first?.dimensions).toEqual({ service: 'a' });
    expect(first?.score).toBeCloseTo(1, 9);
  });

  it('are the whole where everything moved alike', () => {
    const [first] = driversOf([share('a', 'x', 200, 100), share('b', 'y', 20, 10)], ['region', 'service'], 3);
    expect(first?.dimensions).toEqual({});
  });

  it('are nothing where nothing is unusual', () => {
    expect(driversOf([share('a', 'x', 5, 5)], ['region'], 3)).toEqual([]);
  });

  const shares = fc.array(
    fc.record({
      service: fc.constantFrom('a', 'b', 'c'),
      region: fc.constantFrom('x', 'y', 'z'),
      actual: fc.integer({ min: 0, max: 500 }),
      expected: fc.integer({ min: 0, max: 500 }),
    }),
    { minLength: 1, maxLength: 9 },
  );
  const distinct = shares.map((list) => [...new Map(list.map((one) => [`${one.service}${one.region}`, one])).values()]);

  it('have shares that add up to the whole over the values of any dimension', () => {
    fc.assert(
      fc.property(distinct, (list) => {
        const all = driversOf(
          list.map(({ service, region, actual, expected }) => share(service, region, actual, expected)),
          ['region', 'service'],
          1000,
        );
        const total = list.reduce((sum, { actual, expected }) => sum + actual - expected, 0);
        for (const { share: part, actual, expected } of all) if (total !== 0) expect(part).toBeCloseTo((actual - expected) / total, 9);
      }),
    );
  });

  it('do not depend on the order of leaves or dimensions, and change names only where names change', () => {
    fc.assert(
      fc.property(distinct, fc.nat(8), (list, turn) => {
        const turned = list.map((_, at) => list[(at + turn) % list.length]).filter((one) => one !== undefined);
        const of = (some: typeof list, dimensions: string[], rename = (name: string) => name) =>
          driversOf(
            some.map(({ service, region, actual, expected }) => share(rename(service), region, actual, expected)),
            dimensions,
            5,
          ).map(({ dimensions: part, score, actual, expected }) => ({ part, score: score.toFixed(9), actual, expected }));
        const plain = of(list, ['region', 'service']);
        expect(of(turned, ['service', 'region']).map(({ score }) => score)).toEqual(plain.map(({ score }) => score));
        expect(of(turned, ['region', 'service'])).toEqual(plain);
        const renamed = of(list, ['region', 'service'], (name) => `new-${name}`);
        expect(
          renamed.map(({ part, ...rest }) => ({
            part: Object.fromEntries(Object.entries(part).map(([key, value]) => [key, value.replace('new-', '')])),
            ...rest,
          })),
        ).toEqual(plain);
      }),
    );
  });
});
