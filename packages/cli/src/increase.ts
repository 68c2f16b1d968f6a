import { BylawError } from '@bylaw/core/errors';
import { increaseFlag } from '@bylaw/core/plugin';
import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';
import type { Difference } from './output/differences.js';

/** By how many percent members of a comparison may rise, by their names. */
export type IncreaseLimits = ReadonlyMap<string, number>;

/**
 * The limits that the flags set for these members.
 * @throws {BylawError} `usage`
 */
export function increaseLimits(flags: { readonly [name: string]: unknown }, members: readonly string[]): IncreaseLimits {
  const limits = members.map((member) => [member, percentOf(increaseFlag(member), flags[increaseFlag(member)])] as const);
  return new Map(limits.flatMap(([member, limit]) => (limit === undefined ? [] : [[member, limit]])));
}

function percentOf(flag: string, text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const digits = text.trim().replace(/%$/, '').trim();
  const percent = digits === '' ? Number.NaN : Number(digits);
  if (Number.isFinite(percent) && percent >= 0) return percent;
  throw new BylawError('usage', `--${flag} must be a percentage of 0 or more.`, { hint: 'For example 10%.' });
}

/** What a comparison comes to: `exceeded` where a central difference is above its limit, `unknown` where one cannot be told. */
export interface IncreaseOutcome {
  exceeded: boolean;
  unknown: boolean;
  /** Why, a line for each. */
  notices: string[];
}

export function checkIncreases(differences: readonly Difference[], limits: IncreaseLimits): IncreaseOutcome {
  const checked = differences.flatMap((difference) => {
    const limit = limits.get(difference.member);
    return limit === undefined ? [] : [checkIncrease(difference, limit)];
  });
  return {
    exceeded: checked.some(({ exceeded }) => exceeded),
    unknown: checked.some(({ unknown }) => unknown),
    notices: checked.flatMap(({ notices }) => notices),
  };
}

function checkIncrease({ member, noun, plugin, words, unavailable }: Difference, limit: number): IncreaseOutcome {
  const flag = `--${increaseFlag(member)}`;
  const percent = words?.increase;
  if (words === undefined || typeof percent !== 'number' || Number.isNaN(percent)) {
    const [first] = words?.unknown ?? [];
    const why = first ? `${first.id}: ${first.reason}` : (unavailable ?? whyAbsent(plugin, words !== undefined));
    return {
      exceeded: false,
      unknown: true,
      notices: [`error: ${flag} cannot be checked: the difference is unknown. ${printable(why)}`],
    };
  }
  const exceeded = percent > limit;
  const rise = Number.isFinite(percent) ? `rises by ${percent} %` : 'rises from zero';
  const rest = plural(words.unknownTotal, 'changed resource');
  return {
    exceeded,
    unknown: false,
    notices: [
      ...(exceeded ? [`${noun} ${rise}: ${flag} allows ${limit} %.`] : []),
      ...(words.unknownTotal > 0 ? [`warning: ${flag} does not include ${rest} with unknown ${noun}.`] : []),
    ],
  };
}

function whyAbsent(plugin: string, computed: boolean): string {
  return computed ? `The plugin ${plugin} gives no percentage.` : `The plugin ${plugin} is not installed where the comparison runs.`;
}
