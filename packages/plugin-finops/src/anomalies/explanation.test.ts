import { describe, expect, it } from 'vitest';
import type { Anomaly } from './anomaly.js';
import { explanationOf } from './explanation.js';

const anomaly = (kind: Anomaly['kind'], actual: number, expected: number, end = '2026-05-14'): Omit<Anomaly, 'explanation'> => ({
  ...{ id: 'an_1', monitor: ['service'], dimensions: { service: 'EC2' }, currency: 'USD', status: 'closed', severity: 'HIGH' },
  ...{ start: '2026-05-11', end, detected_on: '2026-05-11', kind, actual, expected, lower: 0, upper: 0, z: 9, p_value: 0.001 },
  ...{ direction: actual > expected ? 'up' : 'down', impact: actual - expected, impact_percent: 0, causes: [], drivers: [], covers: [] },
});

describe('an explanation', () => {
  it.each([
    [anomaly('burst', 6900, 1737), 'Cost of EC2 is 6,900 USD from 2026-05-11 to 2026-05-14, 4.0 times the expected 1,737 USD.'],
    [anomaly('spike', 459.05, 333.36, '2026-05-11'), 'Cost of EC2 is 459.05 USD on 2026-05-11, 1.38 times the expected 333.36 USD.'],
    [anomaly('spike', 199.6, 100, '2026-05-11'), 'Cost of EC2 is 199.60 USD on 2026-05-11, 2.0 times the expected 100.00 USD.'],
    [anomaly('drop', 51, 100, '2026-05-11'), 'Cost of EC2 is 51.00 USD on 2026-05-11, 51 % of the expected 100.00 USD.'],
    [anomaly('burst', 2_000_000, 1000), 'Cost of EC2 is 2,000,000 USD from 2026-05-11 to 2026-05-14, 2000 times the expected 1,000 USD.'],
    [anomaly('drop', -634, -210), 'Cost of EC2 is -634.00 USD from 2026-05-11 to 2026-05-14, not the expected -210.00 USD.'],
    [
      anomaly('level-shift', 731.25, 401.28),
      'Cost of EC2 moves to a new level on 2026-05-11: 731.25 USD until 2026-05-14, 1.82 times the expected 401.28 USD.',
    ],
    [anomaly('new-series', 731.25, 0), 'Cost of EC2 starts on 2026-05-11: 731.25 USD until 2026-05-14.'],
    [anomaly('ended-series', 0, 100, '2026-05-11'), 'Cost of EC2 stops: no cost on 2026-05-11 instead of the expected 100.00 USD.'],
    [anomaly('ramp', 731.25, 401.28), 'Cost of EC2 rises gradually from 2026-05-11 to 2026-05-14: 731.25 USD instead of 401.28 USD.'],
  ])('says what a person wants to know', (event, text) => {
    expect(explanationOf(event, 1)).toBe(text);
  });
});
