import { type Rule, SEVERITIES, type Severity } from '@bylaw/core/rule';
import { describe, expect, it } from 'vitest';
import { actionsFor, type Thresholds } from './actions.js';

const ENFORCE: Thresholds = { mode: 'enforce', deny_on: 'HIGH', warn_on: 'MEDIUM' };

function actions(thresholds: Thresholds, mode?: 'deny' | 'warn' | 'audit'): { [severity: string]: string } {
  const of = actionsFor(mode, thresholds);
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, of(ofSeverity(severity)).join()]));
}

function ofSeverity(severity: Severity): Rule {
  return {
    id: 'XX-001',
    category: 'XX',
    severity,
    title: '',
    description: '',
    targets: [],
    logic: [],
    fix: '',
    frameworks: [],
    references: [],
    peers: [],
  };
}

describe('what comes of an object that does not pass', () => {
  it('is what the webhook would do', () => {
    expect(actions(ENFORCE)).toEqual({ CRITICAL: 'Deny', HIGH: 'Deny', MEDIUM: 'Warn,Audit', LOW: 'Audit', INFO: 'Audit' });
  });

  it('is no denial where the webhook only warns, and no warning where it only audits', () => {
    expect(actions({ ...ENFORCE, mode: 'warn' })).toEqual({
      CRITICAL: 'Warn,Audit',
      HIGH: 'Warn,Audit',
      MEDIUM: 'Warn,Audit',
      LOW: 'Audit',
      INFO: 'Audit',
    });
    expect(new Set(Object.values(actions({ ...ENFORCE, mode: 'audit' })))).toEqual(new Set(['Audit']));
  });

  it('is nothing but a record without thresholds', () => {
    expect(new Set(Object.values(actions({ ...ENFORCE, deny_on: 'NONE', warn_on: 'NONE' })))).toEqual(new Set(['Audit']));
  });

  it.each([
    ['deny', 'Deny'],
    ['warn', 'Warn,Audit'],
    ['audit', 'Audit'],
  ] as const)('is the same for all rules with --mode %s', (mode, expected) => {
    expect(new Set(Object.values(actions(ENFORCE, mode)))).toEqual(new Set([expected]));
  });
});
