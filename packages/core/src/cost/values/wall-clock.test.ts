import { describe, expect, it } from 'vitest';
import { hoursOfDays, hoursOfWeek } from './wall-clock.js';

describe('the clock of a zone', () => {
  it('says how long its days are', () => {
    expect([...hoursOfDays(['2026-03-28', '2026-03-29', '2026-10-25'], 'Europe/Berlin')]).toEqual([24, 23, 25]);
    expect([...hoursOfDays(['2026-03-29', '2026-04-05'], 'Australia/Lord_Howe')]).toEqual([24, 24.5]);
    expect([...hoursOfDays(['2026-03-29'], 'UTC')]).toEqual([24]);
  });

  it('shows an hour twice in autumn, and leaves one out in spring', () => {
    const night = (day: string) => [0, 1, 2].map((hour) => `${day}T0${hour}:00:00Z`);
    const sunday = 6 * 24;
    expect([...hoursOfWeek(night('2026-10-25'), 'Europe/Berlin')]).toEqual([sunday + 2, sunday + 2, sunday + 3]);
    expect([...hoursOfWeek(night('2026-03-29'), 'Europe/Berlin')]).toEqual([sunday + 1, sunday + 3, sunday + 4]);
    expect([...hoursOfWeek(['2026-03-30T00:00:00Z'], 'UTC')]).toEqual([0]);
  });
});
