import { roundSignificant } from '@bylaw/core/number';
import type { Entry, UsedFactor } from './types.js';

/** Every factor that the items were computed with: one line per name, source and quality, with the span of its values. */
export function usedFactors(entries: readonly Entry[]): UsedFactor[] {
  const all = entries.flatMap(({ factors }) => factors);
  const lines = Map.groupBy(all, ({ name, source, year, class: kind }) => JSON.stringify([name, source, year, kind]));
  const keys = [...lines.keys()].sort();
  return keys.flatMap((key) => {
    const same = lines.get(key) ?? [];
    const [first] = same;
    if (first === undefined) return [];
    const values = same.map(({ value }) => value);
    const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [first.value, first.value]);
    return [
      {
        ...{ name: first.name, source: first.source, year: first.year, licence: licenceOf(first.source), class: first.class },
        ...{ least: roundSignificant(least), most: roundSignificant(most), items: same.length },
      },
    ];
  });
}

/** Of the data sets that have one. What the caller gave does not have one, and single figures out of publications are facts. */
function licenceOf(source: string): string | null {
  if (source.includes('Electricity Maps')) return 'ODbL-1.0';
  if (source.includes('Ember')) return 'CC-BY-SA-4.0';
  if (source.includes('Cloud Carbon Footprint') || source.includes('Teads')) return 'Apache-2.0';
  return null;
}
