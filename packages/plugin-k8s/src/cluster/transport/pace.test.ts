import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testTiming } from '../testing/connected.test-support.js';
import type { Timing } from '../timing.js';
import { backOff, retryAfterMs } from './back-off.js';
import { pace } from './pace.js';
import { slots } from './slots.js';

const signal = new AbortController().signal;

/** Time that is moved by hand, and tells for how long each wait is. */
function handTiming(): Timing & { advance(ms: number): void } {
  let now = 0;
  const advance = (ms: number) => {
    now += ms;
  };
  return { now: () => now, wait: async () => {}, random: () => 0, advance };
}

describe('the pace', () => {
  it('never lets more requests start in any time than the burst and what comes back in it', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
        async (rate, burst, gaps) => {
          const timing = handTiming();
          const starts: number[] = [];
          const limited = pace(rate, burst, { ...timing, wait: async (ms) => void starts.push(timing.now() + ms) });
          for (const gap of gaps) {
            timing.advance(gap);
            const before = starts.length;
            await limited.take(signal);
            if (starts.length === before) starts.push(timing.now());
          }
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
          for (const [i, from] of starts.entries())
            for (const [j, until] of starts.entries().drop(i))
              expect(j - i + 1).toBeLessThanOrEqual(burst + ((until - from) * rate) / 1000 + 1e-6);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('keeps nobody waiting after a quiet time', async () => {
    const timing = testTiming();
    const limited = pace(10, 3, timing);
    for (let i = 0; i < 4; i++) await limited.take(signal);
    expect(timing.waits).toEqual([100]);
    await timing.wait(1000);
    for (let i = 0; i < 3; i++) await limited.take(signal);
    expect(timing.waits).toEqual([100, 1000]);
  });
});

describe('the slots', () => {
  it('bound what goes on at a time, give way in the order of asking, and are free again after a failure', async () => {
    const places = slots(2);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const work = (i: number) => async () => {
      order.push(i);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      if (i % 3 === 0) throw new Error('failed');
    };
    await Promise.allSettled(Array.from({ length: 10 }, (_, i) => places.run(signal, work(i))));
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(2);
  });

  it('are not taken by who has gone', async () => {
    const places = slots(1);
    const gone = new AbortController();
    const held = Promise.withResolvers<void>();
    const first = places.run(signal, () => held.promise);
    const second = expect(places.run(gone.signal, async () => 'never')).rejects.toThrow('gone');
    const third = places.run(signal, async () => 'third');
    gone.abort(new Error('gone'));
    await second;
    held.resolve();
    await first;
    expect(await third).toBe('third');
    await expect(places.run(gone.signal, async () => 'never')).rejects.toThrow('gone');
  });
});

describe('a pause', () => {
  it('doubles up to ten seconds, and half of it is left to chance', () => {
    const pauses = (random: number) => [1, 2, 3, 4, 5, 6, 100].map((failures) => backOff(failures, testTiming(random)));
    expect(pauses(0)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(pauses(0.999).map(Math.round)).toEqual([500, 1000, 1999, 3998, 7996, 9995, 9995]);
  });

  it.each([
    ['0', 0],
    ['7', 7000],
    ['999999', 60_000],
    ['Fri, 02 Jan 2026 03:04:09 GMT', 4000],
    ['Fri, 02 Jan 2026 03:04:01 GMT', 0],
    ['-1', undefined],
    ['', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('is asked for by Retry-After: %s', (value, ms) => {
    expect(retryAfterMs(value, new Date('2026-01-02T03:04:05Z'))).toBe(ms);
  });
});
