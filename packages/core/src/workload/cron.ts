import { readSchedule } from '../schedule.js';

/** How often a cron schedule runs in an hour, on average. Undefined for what is not a schedule. */
export function runsPerHour(text: string): number | undefined {
  const schedule = readSchedule(text);
  if (schedule === undefined) return undefined;
  if ('every' in schedule) return 3600 / schedule.every;
  const { seconds, minutes, hours, days, cycle } = schedule;
  return (days.length * hours.length * minutes.length * seconds.length) / (cycle * 24);
}
