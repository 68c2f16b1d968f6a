/**
 * How often a schedule of five fields fires in an hour, on average. Undefined for what is not such a schedule.
 * Source: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax
 */
export function runsPerHour(schedule: string): number | undefined {
  const text = schedule.trim().replace(/^(CRON_)?TZ=\S+\s+/, '');
  const fields = (MACROS.get(text) ?? text).split(/\s+/);
  if (schedule.length > 200 || fields.length !== 5) return undefined;
  const [minutes, hours, days, months, weekdays] = RANGES.map((range, index) => valuesOf(fields[index] ?? '', range));
  if (!(minutes && hours && days && months && weekdays)) return undefined;
  const restricted = (index: number) => !/^[*?]/.test(fields[index] ?? '');
  const either = restricted(2) && restricted(4);
  let firing = 0;
  for (let day = 0; day < LEAP_CYCLE; day += 1) {
    const date = new Date(FIRST_DAY + day * 86_400_000);
    if (!months.has(date.getUTCMonth() + 1)) continue;
    const [ofMonth, ofWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    if (either ? ofMonth || ofWeek : ofMonth && ofWeek) firing += 1;
  }
  return (firing * minutes.size * hours.size) / (LEAP_CYCLE * 24);
}

/** Four years have every month length. */
const LEAP_CYCLE = 1461;
const FIRST_DAY = Date.UTC(2024, 0, 1);

const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

interface FieldRange {
  low: number;
  high: number;
  names: readonly string[];
}

const RANGES: readonly FieldRange[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { low: 0, high: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

function valuesOf(field: string, { low, high, names }: FieldRange): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  const parseField = (text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : names.indexOf(text.toLowerCase() || '-'));
  for (const part of field.split(',')) {
    const match = /^(?:([*?])|(\w{1,3})(?:-(\w{1,3}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (!match) return undefined;
    const [, star, first = '', last, step] = match;
    const from = star ? low : parseField(first);
    const to = star ? high : last === undefined ? (step === undefined ? from : high) : parseField(last);
    const by = Number(step ?? '1');
    if (from < low || to > high || from > to || by < 1) return undefined;
    // Sunday is 0 and 7.
    for (let value = from; value <= to; value += by) values.add(high === 7 ? value % 7 : value);
  }
  return values;
}
