import { describe, expect, it } from 'vitest';
import type { Finding } from '../evaluate/index.js';
import { newConsequences } from './consequences.js';
import { finding } from './testing/run.test-support.js';

const privileged = (container: number, more: Partial<Finding> = {}) =>
  finding('CS-001', { path: `/spec/containers/${container}/securityContext/privileged`, ...more });
const consequence = (rule: string, container: number, more: Partial<Finding> = {}) =>
  finding('CS-002', { rule_id: rule, path: `/spec/containers/${container}/securityContext`, caused_by: 'CS-001', ...more });

function attached(findings: Finding[], listed: Finding[]) {
  const consequences = newConsequences();
  const alone = findings.filter((one) => !consequences.take(one));
  return { alone, total: consequences.total(), rules: listed.map((one) => consequences.of(listed).get(one)) };
}

describe('findings with the same cause', () => {
  it('go with their cause, whichever comes first, and are not listed by themselves', () => {
    const cause = privileged(0);
    const findings = [consequence('CS-010', 0), cause, consequence('CS-002', 0), consequence('CS-010', 0)];
    expect(attached(findings, [cause])).toEqual({ alone: [cause], total: 3, rules: [['CS-002', 'CS-010']] });
  });

  it('go with the cause on their own container', () => {
    const causes = [privileged(0), privileged(1)];
    expect(attached([consequence('CS-010', 1), consequence('CS-002', 0)], causes).rules).toEqual([['CS-002'], ['CS-010']]);
  });

  it('go with the cause in their own file and on their own resource', () => {
    const elsewhere = [
      privileged(0, { location: { file: 'other.yaml', line: 1, column: 1 } }),
      privileged(0, { resource: { api_version: 'v1', kind: 'Pod', namespace: null, name: 'other' } }),
    ];
    expect(attached([consequence('CS-002', 0)], elsewhere).rules).toEqual([undefined, undefined]);
  });

  it('are counted, not kept, when there are very many', () => {
    const cause = privileged(0);
    const many = Array.from({ length: 120_000 }, (_, i) => consequence(`CS-${i % 7}`, 0));
    const { total, rules } = attached(many, [cause]);
    expect(total).toBe(120_000);
    expect(rules[0]).toHaveLength(7);
  });
});
