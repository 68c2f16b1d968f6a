import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.js';
import { linkCauses, type RelatedFinding } from './related-findings.js';

function failing(rule_id: string, at: string, ...causes: string[]): RelatedFinding {
  const finding: Finding = {
    rule_id,
    category: 'CS',
    severity: 'LOW',
    title: rule_id,
    status: 'fail',
    resource: { api_version: 'v1', kind: 'Pod', namespace: null, name: 'p' },
    location: null,
    path: at,
    message: '',
    fix: '',
    frameworks: [],
  };
  return { finding, at, causes };
}

function linked(...related: RelatedFinding[]): (string | undefined)[] {
  linkCauses(related);
  return related.map(({ finding }) => finding.caused_by);
}

describe('the cause of a finding', () => {
  it('is the rule that fails on the same container', () => {
    expect(linked(failing('CS-002', '/spec/containers/0', 'CS-001'), failing('CS-001', '/spec/containers/0'))).toEqual([
      'CS-001',
      undefined,
    ]);
  });

  it('is absent if that rule fails on another container, even one whose index starts with the same digits', () => {
    expect(linked(failing('CS-002', '/spec/containers/1', 'CS-001'), failing('CS-001', '/spec/containers/0'))).toEqual([
      undefined,
      undefined,
    ]);
    expect(linked(failing('CS-002', '/spec/containers/10', 'CS-001'), failing('CS-001', '/spec/containers/1'))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('may fail on what holds the thing, or on a part of it', () => {
    expect(linked(failing('CS-002', '/spec/containers/0/env/1', 'CS-001'), failing('CS-001', ''))).toEqual(['CS-001', undefined]);
    expect(
      linked(failing('CS-009', '', 'CS-021'), failing('CS-021', '/spec/containers/0'), failing('CS-021', '/spec/containers/1')),
    ).toEqual(['CS-021', undefined, undefined]);
    expect(linked(failing('CS-009', '/spec/containers/1', 'CS-021'), failing('CS-021', '/spec/containers/10'))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is the first of several in the order of the rule', () => {
    expect(linked(failing('CS-042', '/c', 'CS-002', 'CS-010'), failing('CS-010', '/c'), failing('CS-002', '/c'))).toEqual([
      'CS-002',
      undefined,
      undefined,
    ]);
  });

  it('is the first one of a chain', () => {
    expect(linked(failing('CS-042', '/c', 'CS-002'), failing('CS-002', '/c', 'CS-001'), failing('CS-001', '/c'))).toEqual([
      'CS-001',
      'CS-001',
      undefined,
    ]);
  });
});
