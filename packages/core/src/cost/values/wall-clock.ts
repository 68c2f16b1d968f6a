import { Temporal } from 'temporal-polyfill';

/**
 * Hour of the week, from 0 at midnight to Monday, that the clock of a zone shows at the start of buckets of an hour.
 * @param labels instants of UTC, as in a `CostTable`
 * @param timezone IANA name of a zone that is known
 */
export function hoursOfWeek(labels: readonly string[], timezone: string): Uint16Array {
  return Uint16Array.from(labels, (label) => {
    const { dayOfWeek, hour } = Temporal.Instant.from(label).toZonedDateTimeISO(timezone);
    return (dayOfWeek - 1) * 24 + hour;
  });
}

/** Hours that days of a zone have: 23 or 25 where its clock is changed. @param labels days, as in a `CostTable` */
export function hoursOfDays(labels: readonly string[], timezone: string): Float64Array {
  if (timezone === 'UTC') return new Float64Array(labels.length).fill(24);
  return Float64Array.from(labels, (label) => Temporal.PlainDate.from(label).toZonedDateTime(timezone).hoursInDay);
}
