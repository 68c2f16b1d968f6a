import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

function gaps(text: unknown, withSeconds = false): unknown {
  const of = (name: string) => `schedule(text, ${withSeconds}).?${name}.orValue(-1)`;
  return evaluate(`schedule(text, ${withSeconds}).hasValue() ? [${of('longestGap')}, ${of('shortestGap')}] : []`, text);
}

function evaluate(source: string, text: unknown): unknown {
  return createEvaluator()
    .compile(source, { variables: ['text'], maxNodes: 2000, maxNesting: 3 })
    .evaluate({ text });
}

describe('a schedule', () => {
  it.each<[string, number, number]>([
    ['* * * * *', 60, 60],
    ['0 * * * *', HOUR, HOUR],
    ['0 2 * * *', DAY, DAY],
    ['0 */6 * * *', 6 * HOUR, 6 * HOUR],
    // 20:00 to 00:00
    ['0 */5 * * *', 5 * HOUR, 4 * HOUR],
    ['0 8,20 * * *', 12 * HOUR, 12 * HOUR],
    ['0 8,10 * * *', 22 * HOUR, 2 * HOUR],
    // 17:45 to 09:15 of Monday
    ['15,45 9-17 * * MON-fri', 2 * DAY + 15.5 * HOUR, HOUR / 2],
    ['0 0 * * 0', 7 * DAY, 7 * DAY],
    ['0 0 1 * *', 31 * DAY, 28 * DAY],
    ['0 0 31 * *', 61 * DAY, 31 * DAY],
    ['0 0 1 jan,Jul *', 184 * DAY, 181 * DAY],
    // From 2096-02-29, or any other, to the next leap day
    ['0 0 29 2 *', 1461 * DAY, 1461 * DAY],
    ['0 0 30/1 1/6 *', 183 * DAY, DAY],
    // Either the 13th or a Friday
    ['0 0 13 * 5', 7 * DAY, DAY],
    // A step turns the star into a limit
    ['0 0 */31 * 5', 7 * DAY, DAY],
    ['0 0 */1 * 5', 7 * DAY, 7 * DAY],
    ['0 0 ? * 5', 7 * DAY, 7 * DAY],
    // From the last Monday of February, the 22nd, to the first one of the next, the 7th
    ['0 0 29 2 1-1', 350 * DAY, DAY],
    ['  0   2 * *\t* ', DAY, DAY],
    ['0,,30 * * * *', HOUR / 2, HOUR / 2],
    ['@yearly', 366 * DAY, 365 * DAY],
    ['@annually', 366 * DAY, 365 * DAY],
    ['@monthly', 31 * DAY, 28 * DAY],
    ['@weekly', 7 * DAY, 7 * DAY],
    ['@daily', DAY, DAY],
    ['@midnight', DAY, DAY],
    ['@hourly', HOUR, HOUR],
    ['@every 1h30m', 1.5 * HOUR, 1.5 * HOUR],
    ['@every 1.9s', 1, 1],
    ['@every 10ms', 1, 1],
    ['CRON_TZ=Asia/Tokyo 0 2 * * *', DAY, DAY],
    ['TZ=UTC @daily', DAY, DAY],
  ])('%s has a longest and a shortest gap', (text, longest, shortest) => {
    expect(gaps(text)).toEqual([longest, shortest]);
  });

  it.each<[string, number, number]>([
    ['0 0 2 * * *', DAY, DAY],
    ['*/10 * * * * *', 10, 10],
    ['0,50 59 23 * * *', DAY - 50, 50],
    // The day of the week can be omitted: every hour, not every day
    ['0 0 * * *', HOUR, HOUR],
    ['@daily', DAY, DAY],
  ])('%s has seconds in its first field', (text, longest, shortest) => {
    expect(gaps(text, true)).toEqual([longest, shortest]);
  });

  it.each([
    '',
    'daily',
    '0 2 * *',
    '0 0 2 * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    // Kubernetes has no second Sunday
    '0 0 * * 7',
    '0 0 * * L',
    '0 0 1W * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '1/2/3 * * * *',
    '1-2-3 * * * *',
    '-1 * * * *',
    'jan * * * *',
    '@dayly',
    '@Daily',
    '@every',
    '@every soon',
    'TZ=UTC',
    'TZ= 0 2 * * *',
    `0 2 * * ${'1,'.repeat(1000)}1`,
  ])('%s is not valid', (text) => {
    expect(gaps(text)).toEqual([]);
  });

  it('with four or seven fields is not valid where seconds come first', () => {
    expect([gaps('0 0 * *', true), gaps('0 0 0 * * * *', true)]).toEqual([[], []]);
  });

  it.each(['0 0 31 2 *', '0 0 30 feb *', ', * * * *'])('%s is valid and never runs', (text) => {
    expect(evaluate('schedule(text).value()', text)).toEqual({ hours: [], timeZone: '' });
  });

  it('names its hours and its time zone', () => {
    expect(evaluate('schedule(text).value()', 'CRON_TZ=Europe/Berlin 0 20-22,1 * * *')).toEqual({
      longestGap: 19 * HOUR,
      shortestGap: HOUR,
      hours: [1, 20, 21, 22],
      timeZone: 'Europe/Berlin',
    });
  });
});

describe('a schedule with arbitrary fields', () => {
  const minutes = fc.uniqueArray(fc.nat({ max: 59 }), { minLength: 1, maxLength: 5 });
  const hours = fc.uniqueArray(fc.nat({ max: 23 }), { minLength: 1, maxLength: 5 });
  const weekdays = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 7 });

  it('has the gaps that a walk through every minute of two weeks finds', () => {
    fc.assert(
      fc.property(minutes, hours, weekdays, (ofHour, ofDay, ofWeek) => {
        const runs: number[] = [];
        for (let minute = 0; minute < 14 * 1440; minute += 1) {
          const [day, hour] = [Math.floor(minute / 1440) % 7, Math.floor(minute / 60) % 24];
          if (ofWeek.includes(day) && ofDay.includes(hour) && ofHour.includes(minute % 60)) runs.push(minute * 60);
        }
        const found = runs.slice(1).map((time, index) => time - (runs[index] ?? 0));
        expect(gaps(`${ofHour} ${ofDay} * * ${ofWeek}`)).toEqual([Math.max(...found), Math.min(...found)]);
      }),
      { numRuns: 50 },
    );
  });

  it('is evaluated without an error, whatever the text is', () => {
    const part = fc.constantFrom(
      '*',
      '?',
      '0',
      '5',
      '59',
      '99',
      '-',
      '/',
      ',',
      'mon',
      'feb',
      ' ',
      '@every ',
      '@daily',
      'TZ=',
      '1h',
      '7',
      '+',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (value) => {
          const text = typeof value === 'string' ? value : null;
          const found = gaps(text);
          expect(Array.isArray(found) && found.every((gap) => gap === -1 || gap >= 1)).toBe(true);
        },
      ),
    );
  });
});
