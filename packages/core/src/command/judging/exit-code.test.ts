import { describe, expect, it } from 'vitest';
import { THRESHOLDS, type Threshold } from '../flags/fail-on.js';
import { exitCodeOf } from './exit-code.js';

const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };

describe('the exit code of an evaluation', () => {
  it.each<[Threshold, Threshold[]]>([
    ['CRITICAL', ['CRITICAL']],
    ['HIGH', ['CRITICAL', 'HIGH']],
    ['MEDIUM', ['CRITICAL', 'HIGH', 'MEDIUM']],
    ['LOW', ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']],
    ['INFO', ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']],
    ['NONE', []],
  ])('with the threshold %s is 1 for findings of %j only', (threshold, failing) => {
    for (const severity of THRESHOLDS.filter((one) => one !== 'NONE'))
      expect(exitCodeOf({ errors: 0, by_severity: { ...none, [severity]: 1 } }, threshold)).toBe(failing.includes(severity) ? 1 : 0);
  });

  it('is 2 where something could not be read, whatever was found', () => {
    expect(exitCodeOf({ errors: 1, by_severity: { ...none, CRITICAL: 3 } }, 'HIGH')).toBe(2);
    expect(exitCodeOf({ errors: 1, by_severity: none }, 'NONE')).toBe(2);
  });
});
