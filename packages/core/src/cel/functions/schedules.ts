import { readSchedule, type Times, timeZoneOf } from '../../schedule.js';
import { spendOnMembers } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { optionalOf, textOrEmpty } from '../standard/values.js';

/** Cron schedules as Kubernetes and most operators read them. */
export const schedules: readonly CelFunction[] = [
  {
    signature: 'schedule(dyn): optional<dyn>',
    summary:
      'What a cron schedule says, as {longestGap, shortestGap, hours, timeZone}: the most and the fewest seconds between two runs (both absent if it never runs), the hours of the day in which it runs, and the name after `TZ=` or `CRON_TZ=` (empty if there is none). Absent for any value that is not a valid schedule of five fields, a name such as `@daily`, or `@every` with a duration. Ignores daylight saving time.',
    example:
      'schedule("30 1 * * mon-fri").value() == {"longestGap": 259200, "shortestGap": 86400, "hours": [1], "timeZone": ""} && schedule("@every 6h").?longestGap.orValue(0) == 21600 && !schedule("0 25 * * *").hasValue() && !schedule({}.?schedule).hasValue()',
    call: (text: unknown) => scheduleOf(textOrEmpty(text), false),
  },
  {
    signature: 'schedule(dyn, bool): optional<dyn>',
    summary:
      'The same. If the second argument is true, the first field is for seconds, and the last field (the day of the week) can be omitted, as CloudNativePG reads schedules.',
    example: 'schedule("0 0 2 * * *", true).?longestGap.orValue(0) == 86400 && schedule("0 0 * * *", true).?longestGap.orValue(0) == 3600',
    call: (text: unknown, withSeconds: boolean) => scheduleOf(textOrEmpty(text), withSeconds),
  },
];

function scheduleOf(text: string, withSeconds: boolean): unknown {
  const schedule = readSchedule(text, withSeconds);
  if (schedule === undefined) return optionalOf(undefined);
  const timing = 'every' in schedule ? { longestGap: schedule.every, shortestGap: schedule.every, hours: EVERY_HOUR } : timingOf(schedule);
  return optionalOf({ ...timing, timeZone: timeZoneOf(text) });
}

const EVERY_HOUR: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

interface Timing {
  /** Seconds; absent if the schedule never runs. */
  longestGap?: number;
  shortestGap?: number;
  hours: readonly number[];
}

function timingOf({ seconds, minutes, hours, days, cycle }: Times): Timing {
  spendOnMembers(cycle);
  const gaps = new Set<number>();
  // Where a run is within the minute, the hour and the day: at the first and at the last of its times.
  let [first, last] = [0, 0];
  const runDays = days[0] === undefined ? [] : [...days, days[0] + cycle];
  const levels = [[1, seconds] as const, [60, minutes] as const, [3600, hours] as const, [86_400, runDays] as const];
  for (const [unit, values] of levels) {
    for (const [index, value] of values.entries()) {
      const next = values[index + 1];
      if (next !== undefined) gaps.add((next - value) * unit + first - last);
    }
    first += (values[0] ?? 0) * unit;
    last += (values.at(-1) ?? 0) * unit;
  }
  const runs = levels.every(([, values]) => values.length > 0);
  return { ...(runs && { longestGap: Math.max(...gaps), shortestGap: Math.min(...gaps) }), hours: runs ? hours : [] };
}
