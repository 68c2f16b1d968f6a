import { ownText } from './own-text.js';

/**
 * An instant as cost exports write it, in milliseconds of UTC: RFC 3339 with a `T` or a blank and any offset (none means UTC), with ` UTC` behind it
 * (Google Cloud), a day alone (its start), and `5/1/25` or `05/01/2025` in the American order (Azure, and the examples of FOCUS). An hour from 24 on
 * runs into the next day, as in the examples of FOCUS.
 * @returns undefined for what is not one
 */
export function parseInstant(text: string): number | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const at = text.length > LONGEST ? undefined : slowInstant(text.trim());
  if (at !== undefined) remember(ownText(text), at);
  return at;
}

/** The same few instants are in millions of rows. */
const cache = new Map<string, number>();
const MOST_CACHED = 10_000;
const LONGEST = 60;

function remember(text: string, at: number): void {
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(text, at);
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

const HOUR = 3_600_000;

function slowInstant(text: string): number | undefined {
  const iso = ISO.exec(text) ?? COMPACT.exec(text);
  if (iso) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = iso;
    const at = dayOf(Number(year), Number(month), Number(day));
    const offset = offsetOf(zone);
    if (at === undefined || offset === undefined || Number(hour) > 47 || Number(minute) > 59 || Number(second) > 60) return undefined;
    const milliseconds = Math.floor(Number(`0.${fraction || '0'}`) * 1000);
    return at + Number(hour) * HOUR + Number(minute) * 60_000 + Number(second) * 1000 + milliseconds - offset;
  }
  const american = AMERICAN.exec(text);
  if (!american) return undefined;
  const [, month, day, year = '', hour = '0', minute = '0', second = '0'] = american;
  const at = dayOf(Number(year) + (year.length === 2 ? 2000 : 0), Number(month), Number(day));
  return at === undefined ? undefined : at + Number(hour) * HOUR + Number(minute) * 60_000 + Number(second) * 1000;
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970 ? at : undefined;
}

/** The numeric offsets of RFC 3339 end at 23:59. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'UTC') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || '0')];
  return hours > 23 || minutes > 59 ? undefined : sign * (hours * HOUR + minutes * 60_000);
}
