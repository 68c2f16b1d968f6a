import type { Granularity } from '@bylaw/core/cost';

/** Labels of the buckets after one. Labels are plain days, and instants of UTC for hours, so no zone is needed. */
export function labelsAfter(last: string, granularity: Granularity, count: number): string[] {
  const at = Date.parse(granularity === 'hour' ? last : `${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, j) => {
    if (granularity === 'hour') return `${new Date(at + (j + 1) * HOUR).toISOString().slice(0, 19)}Z`;
    return new Date(granularity === 'month' ? monthsLater(at, j + 1) : at + (j + 1) * DAYS[granularity] * 24 * HOUR)
      .toISOString()
      .slice(0, 10);
  });
}

const HOUR = 3_600_000;
const DAYS = { day: 1, week: 7 } as const;

function monthsLater(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

export const PERIODS = ['month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** The period that a bucket starts in: `2026-05`, `2026-Q2`, `2026`. */
export function periodOf(label: string, period: Period): string {
  const year = label.slice(0, 4);
  if (period === 'year') return year;
  if (period === 'month') return label.slice(0, 7);
  return `${year}-Q${Math.ceil(Number(label.slice(5, 7)) / 3)}`;
}

/** Days of the month that a bucket of a month stands for. */
export function daysInMonth(label: string): number {
  return new Date(Date.UTC(Number(label.slice(0, 4)), Number(label.slice(5, 7)), 0)).getUTCDate();
}

/** Cycles that the buckets may show, ascending: the day and the week of hours, the week of days, the year of weeks and months. */
export function periodsOf(granularity: Granularity): readonly number[] {
  return { hour: [24, 168], day: [7], week: [52], month: [12] }[granularity];
}
