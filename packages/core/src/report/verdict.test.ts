import { describe, expect, it } from 'vitest';
import { type Counted, verdictOf } from './verdict.js';

const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };

function counted(more: Partial<Counted>): Counted {
  const by_severity = more.by_severity ?? none;
  const findings = Object.values(by_severity).reduce((sum, count) => sum + count, 0);
  return { resources: 72, rules: 190, unchecked: [], errors: 0, findings, by_severity, ...more };
}

const line = (more: Partial<Counted>, threshold: Parameters<typeof verdictOf>[1] = 'HIGH') => {
  const { word, why } = verdictOf(counted(more), threshold);
  return `${word}  ${why}`;
};

describe('the verdict of a run', () => {
  it('fails for findings at or above the threshold, and counts those', () => {
    const by_severity = { ...none, CRITICAL: 3, HIGH: 5, MEDIUM: 1200 };
    expect(line({ by_severity })).toBe('FAIL  3 critical, 5 high (threshold HIGH)');
    expect(line({ by_severity }, 'CRITICAL')).toBe('FAIL  3 critical (threshold CRITICAL)');
    expect(line({ by_severity }, 'INFO')).toBe('FAIL  3 critical, 5 high, 1,200 medium (threshold INFO)');
  });

  it('passes without them, and says what there is below', () => {
    expect(line({})).toBe('PASS  no findings');
    expect(line({ by_severity: { ...none, MEDIUM: 2, INFO: 1 } })).toBe('PASS  nothing at or above HIGH: 2 medium, 1 info');
    expect(line({ by_severity: { ...none, CRITICAL: 2 } }, 'NONE')).toBe('PASS  2 critical (no threshold)');
  });

  it('is incomplete if something could not be read, whatever was found', () => {
    expect(line({ errors: 1 })).toBe('INCOMPLETE  1 error; no findings');
    expect(line({ errors: 2, by_severity: { ...none, HIGH: 1 } })).toBe('INCOMPLETE  2 errors; 1 high (threshold HIGH)');
  });

  it('says what was not checked', () => {
    const unchecked = [
      { kind: 'Service', count: 68 },
      { kind: 'ClusterRole', count: 1 },
    ];
    expect(line({ unchecked })).toBe('PASS  69 of 72 resources not checked; no findings');
    expect(line({ unchecked: [{ kind: 'Service', count: 72 }] })).toBe(
      'INCOMPLETE  nothing was checked: no rule covers these kinds; no findings',
    );
    expect(line({ unchecked, rules: 0 })).toBe('NOT CHECKED  the filter selects no rule, so nothing was checked');
  });
});
