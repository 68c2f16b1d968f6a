import { describe, expect, it } from 'vitest';
import type { Counted } from '../../report/verdict.js';
import { THRESHOLDS, type Threshold } from '../flags/fail-on.js';
import { exitCodeOf } from './exit-code.js';

const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
const counted: Counted = { resources: 3, rules: 4, unchecked: [], errors: 0, findings: 0, by_severity: none };

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
      expect(exitCodeOf({ ...counted, by_severity: { ...none, [severity]: 1 } }, threshold)).toBe(failing.includes(severity) ? 1 : 0);
  });

  it('is 2 if something could not be read, whatever was found', () => {
    expect(exitCodeOf({ ...counted, errors: 1, by_severity: { ...none, CRITICAL: 3 } }, 'HIGH')).toBe(2);
    expect(exitCodeOf({ ...counted, errors: 1 }, 'NONE')).toBe(2);
  });

  it('is 2 if no rule covers the kind of any resource, and not if one is covered', () => {
    expect(exitCodeOf({ ...counted, unchecked: [{ kind: 'Service', count: 3 }] }, 'HIGH')).toBe(2);
    expect(exitCodeOf({ ...counted, unchecked: [{ kind: 'Service', count: 2 }] }, 'HIGH')).toBe(0);
  });

  it('is 0 if the filter left no rule, which the report says', () => {
    expect(exitCodeOf({ ...counted, rules: 0, unchecked: [{ kind: 'Service', count: 3 }] }, 'HIGH')).toBe(0);
  });
});
