import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adapterLimiter, principalLimiter, tokenBucket } from './index.js';

/** A clock that is moved by hand, in milliseconds. */
function handClock() {
  let time = 5000;
  return {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

const RATES = fc.oneof(fc.double({ min: 0.001, max: 1000, noNaN: true }), fc.constantFrom(0.1, 1 / 3, 0.5, 1, 3, 7, 20, 100));

describe('a token bucket', () => {
  it('admits three seconds of requests at once, and then the rate (gate/limits.2)', () => {
    const clock = handClock();
    const bucket = tokenBucket(100, clock.now);
    for (let request = 0; request < 300; request++) expect(bucket.take()).toBe(0);
    expect(bucket.take()).toBe(0.01);
    clock.advance(10);
    expect(bucket.take()).toBe(0);
    expect(bucket.take()).toBe(0.01);
    clock.advance(1000);
    for (let request = 0; request < 100; request++) expect(bucket.take()).toBe(0);
    expect(bucket.take()).toBe(0.01);
  });

  it('never fills beyond three seconds of requests (gate/limits.2)', () => {
    const clock = handClock();
    const bucket = tokenBucket(2, clock.now);
    clock.advance(3_600_000);
    for (let request = 0; request < 6; request++) expect(bucket.take()).toBe(0);
    expect(bucket.take()).toBe(0.5);
  });

  it('is off at a rate of 0 (gate/limits.1)', () => {
    const bucket = tokenBucket(0, () => 0);
    for (let request = 0; request < 10_000; request++) expect(bucket.take()).toBe(0);
  });

  it('holds one request where three seconds would hold less', () => {
    const clock = handClock();
    const bucket = tokenBucket(0.1, clock.now);
    expect(bucket.take()).toBe(0);
    expect(bucket.take()).toBe(10);
    clock.advance(9999);
    expect(bucket.take()).toBe(0.001);
    clock.advance(1);
    expect(bucket.take()).toBe(0);
  });

  it('does not count refused requests', () => {
    const clock = handClock();
    const bucket = tokenBucket(1, clock.now);
    for (let request = 0; request < 1000; request++) bucket.take();
    clock.advance(1000);
    expect(bucket.take()).toBe(0);
  });

  it('stands a clock that goes back', () => {
    let time = 10_000;
    const bucket = tokenBucket(1, () => time);
    for (let request = 0; request < 3; request++) bucket.take();
    time = 0;
    expect(bucket.take()).toBe(1);
    time = 1000;
    expect(bucket.take()).toBe(0);
  });

  it('never admits more than 3r + r·t in any stretch of t seconds', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 3000 }), fc.nat({ max: 40 })), { maxLength: 40 });
    fc.assert(
      fc.property(RATES, steps, (rate, pauses) => {
        const clock = handClock();
        const bucket = tokenBucket(rate, clock.now);
        const admitted: number[] = [];
        for (const [pause, requests] of pauses) {
          clock.advance(pause / 7);
          for (let request = 0; request < requests; request++) if (bucket.take() === 0) admitted.push(clock.now());
        }
        const burst = Math.max(1, 3 * rate);
        for (let first = 0; first < admitted.length; first += 5)
          for (let last = first; last < admitted.length; last += 3) {
            const seconds = ((admitted[last] ?? 0) - (admitted[first] ?? 0)) / 1000;
            expect(last - first + 1).toBeLessThanOrEqual(burst + rate * seconds + 1e-6);
          }
      }),
      { numRuns: 1000 },
    );
  });

  it('admits who has waited as long as told, and nobody a millisecond earlier', () => {
    fc.assert(
      fc.property(RATES, fc.array(fc.nat({ max: 500 }), { maxLength: 20 }), (rate, pauses) => {
        const clock = handClock();
        const bucket = tokenBucket(rate, clock.now);
        for (const pause of pauses) {
          while (bucket.take() === 0);
          clock.advance(pause / 3);
        }
        const wait = bucket.take();
        if (wait === 0) return;
        const milliseconds = Math.round(wait * 1000);
        clock.advance(milliseconds - 1);
        if (milliseconds > 1) expect(bucket.take()).toBeGreaterThan(0);
        clock.advance(1);
        expect(bucket.take()).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('does what the generic cell rate algorithm does', () => {
    // Powers of two and whole milliseconds, so that both calculate without rounding.
    const rate = fc.constantFrom(0.25, 0.5, 1, 2, 4, 8, 64);
    const steps = fc.array(fc.tuple(fc.nat({ max: 2500 }), fc.integer({ min: 1, max: 9 })), { maxLength: 60 });
    fc.assert(
      fc.property(rate, steps, (perSecond, pauses) => {
        const clock = handClock();
        const bucket = tokenBucket(perSecond, clock.now);
        const admits = cellRate(perSecond);
        for (const [pause, requests] of pauses) {
          clock.advance(pause);
          for (let request = 0; request < requests; request++) expect(bucket.take() === 0).toBe(admits(clock.now()));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** GCRA (ITU-T I.371), with the increment 1/r and the tolerance that lets three seconds of requests through at once; in milliseconds. */
function cellRate(rate: number): (now: number) => boolean {
  const increment = 1000 / rate;
  const tolerance = (Math.max(1, 3 * rate) - 1) * increment;
  let arrival = 0;
  return (now) => {
    if (arrival - now > tolerance) return false;
    arrival = Math.max(arrival, now) + increment;
    return true;
  };
}

describe('the limit per principal', () => {
  it('is one bucket for each', () => {
    const limiter = principalLimiter(1, handClock().now);
    for (const principal of ['alice', 'bob', 'constructor', '__proto__']) {
      for (let request = 0; request < 3; request++) expect(limiter.take(principal)).toBe(0);
      expect(limiter.take(principal)).toBe(1);
    }
  });

  it('does for each what a bucket of its own would do', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 900 }), fc.constantFrom('a', 'b', 'c', 'd')), { maxLength: 80 });
    fc.assert(
      fc.property(fc.constantFrom(0.25, 1, 4), steps, (rate, requests) => {
        const clock = handClock();
        const limiter = principalLimiter(rate, clock.now);
        const own = new Map(['a', 'b', 'c', 'd'].map((name) => [name, tokenBucket(rate, clock.now)]));
        for (const [pause, name] of requests) {
          clock.advance(pause);
          expect(limiter.take(name)).toBe(own.get(name)?.take());
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('forgets those whose bucket is full again', () => {
    const clock = handClock();
    const limiter = principalLimiter(20, clock.now);
    for (let index = 0; index < 5000; index++) {
      limiter.take(`principal-${index}`);
      clock.advance(1);
    }
    // One request is made good in 50 ms.
    expect(limiter.size).toBeLessThanOrEqual(51);
  });

  it('lets new ones share a bucket when there are too many', () => {
    const clock = handClock();
    const limiter = principalLimiter(1, clock.now, 100);
    for (let index = 0; index < 100; index++) limiter.take(`known-${index}`);
    for (let index = 0; index < 3; index++) expect(limiter.take(`new-${index}`)).toBe(0);
    expect(limiter.take('new-3')).toBe(1);
    expect(limiter.take('known-7')).toBe(0);
    expect(limiter.size).toBe(100);
    clock.advance(1000);
    expect(limiter.take('new-4')).toBe(0);
    expect(limiter.take('new-5')).toBe(0);
  });

  it('is off at a rate of 0, and keeps nothing (gate/limits.1)', () => {
    const limiter = principalLimiter(0, () => 0);
    for (let request = 0; request < 1000; request++) expect(limiter.take(`p-${request}`)).toBe(0);
    expect(limiter.size).toBe(0);
  });
});

describe('the limit per adapter', () => {
  it('is one bucket for each', () => {
    const limiter = adapterLimiter(1, handClock().now);
    for (let request = 0; request < 3; request++) expect(limiter.take('ci')).toBe(0);
    expect(limiter.take('ci')).toBe(1);
    expect(limiter.take('mcp')).toBe(0);
  });
});
