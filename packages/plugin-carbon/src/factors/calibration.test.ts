import { median, quantile, sorted } from '@bylaw/core/number';
import { describe, expect, it } from 'vitest';
import { CALIBRATION, machineOf } from './machine.js';
import { machineData } from './machine-data.js';

interface Measured {
  family: string;
  /** What Teads measured at half load over what the figures of CCF say. */
  ratio: number;
}

/** Every type that has both and no GPU. */
const MEASURED: readonly Measured[] = [...machineData().curves].flatMap(([type, curve]) => {
  const machine = machineOf('aws', type, 'ccf');
  if (machine === undefined || (curve[10] ?? 0) > 0) return [];
  const { power, vcpu, memoryGib } = machine;
  const watts = vcpu * power.cpuWattsPerVcpu(0.5) + memoryGib * power.memoryWattsPerGib(0.5);
  return [{ family: familyOf(type), ratio: (curve[2] ?? 0) / watts }];
});

/** `m5` of `db.m5.large`: sizes and services of a family run on the same hosts, and know nothing of each other's error. */
function familyOf(type: string): string {
  return type.replace(/^(?:db|cache)\./, '').split('.')[0] ?? type;
}

const FAMILIES = [...new Set(MEASURED.map(({ family }) => family))].sort();

const SPLITS: readonly [string, (type: Measured, index: number) => number][] = [
  ['every other type', (_, index) => index % 2],
  ['every other family', ({ family }) => FAMILIES.indexOf(family) % 2],
];

describe('the calibration of CCF by the curves of Teads', () => {
  it.each(SPLITS.flatMap(([name, half]) => [0, 1].map((learnt) => [name, learnt, half] as const)))(
    'learnt from %s (%i), holds nine in ten of the others in its range',
    (_, learnt, half) => {
      const ratios = sorted(MEASURED.filter((type, index) => half(type, index) === learnt).map(({ ratio }) => ratio));
      const others = MEASURED.filter((type, index) => half(type, index) !== learnt);
      expect(Math.min(ratios.length, others.length)).toBeGreaterThan(250);
      const [low, high] = [quantile(ratios, 0.05), quantile(ratios, 0.95)];
      expectNineInTen(others, low, high);
    },
  );

  it('is what is shipped', () => {
    const { ratio, low, high } = CALIBRATION;
    expect(Math.abs(median(MEASURED.map((type) => type.ratio)) / ratio - 1)).toBeLessThan(0.03);
    expectNineInTen(MEASURED, ratio * low, ratio * high);
  });
});

/** 85 to 95 %. */
function expectNineInTen(types: readonly Measured[], low: number, high: number): void {
  const inside = types.filter(({ ratio }) => ratio >= low && ratio <= high).length / types.length;
  expect(inside).toBeGreaterThanOrEqual(0.85);
  expect(inside).toBeLessThanOrEqual(0.95);
}
