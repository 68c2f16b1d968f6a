import type { Granularity } from '@bylaw/core/cost';

/** Where the buckets of a table stand in the week and in the month. */
export interface TimeAxis {
  /** Slots of a week: 7 for days, 168 for hours, else 1. */
  period: number;
  slots: Uint16Array;
  /** Days and hours only: from 1, and 0 on the last day of the month. */
  dayOfMonth?: Uint8Array;
  daysToEnd?: Uint8Array;
}

/** @param buckets labels of a `CostTable` */
export function timeAxis(buckets: readonly string[], granularity: Granularity): TimeAxis {
  const n = buckets.length;
  if (granularity === 'week' || granularity === 'month') return { period: 1, slots: new Uint16Array(n) };
  const slots = new Uint16Array(n);
  const dayOfMonth = new Uint8Array(n);
  const daysToEnd = new Uint8Array(n);
  for (const [at, label] of buckets.entries()) {
    const [year, month, day] = [Number(label.slice(0, 4)), Number(label.slice(5, 7)), Number(label.slice(8, 10))];
    // Monday is 0.
    const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
    slots[at] = granularity === 'day' ? weekday : weekday * 24 + Number(label.slice(11, 13));
    dayOfMonth[at] = day;
    daysToEnd[at] = new Date(Date.UTC(year, month, 0)).getUTCDate() - day;
  }
  // By the hour, what repeats monthly is no single bucket.
  return granularity === 'day' ? { period: 7, slots, dayOfMonth, daysToEnd } : { period: 168, slots };
}
