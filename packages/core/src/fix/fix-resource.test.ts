import { describe, expect, it } from 'vitest';
import type { ConfiguredException } from '../evaluate/index.js';
import { readObject } from '../resource/index.js';
import type { JsonObject } from '../resource/text/json.js';
import type { RuleDetail } from '../rule/index.js';
import { type Frozen, fixResource } from './fix-resource.js';
import { fixerFor, newRule, podRules } from './rules.test-support.js';

function fix(
  rules: readonly RuleDetail[],
  spec: JsonObject,
  more: { kind?: string; frozen?: Frozen[]; exceptions?: ConfiguredException[]; unsafe?: boolean } = {},
) {
  const object = { apiVersion: 'v1', kind: more.kind ?? 'Pod', metadata: { name: 'a' }, spec };
  const [resource] = readObject(object, { file: 'x', document: 0 }).resources;
  if (!resource) throw new Error('no resource');
  const { object: after, fixed, unfixed } = fixResource(resource, fixerFor(rules, more.exceptions, more.unsafe), more.frozen ?? []);
  return {
    spec: after['spec'],
    same: after === resource.object,
    fixed: fixed.map(({ rule_id }) => rule_id),
    unfixed: unfixed.map(({ finding, reason }) => `${finding.rule_id} ${finding.path}: ${reason}`),
  };
}

/** A rule that fails until a member of the Pod has a value. */
const wants = (id: string, member: string, value: boolean, set: JsonObject = { [`/spec/${member}`]: value }) =>
  newRule(id, `podSpec.?${member}.orValue("") == ${value}`, { set }, { path: `/spec/${member}` });

describe('mending an object', () => {
  it('makes the edits of all rules, and tells what is gone', () => {
    const { spec, fixed, unfixed } = fix(podRules, {
      hostPID: true,
      containers: [{ name: 'a', securityContext: { privileged: true } }, { name: 'b' }],
    });
    const securityContext = { capabilities: { drop: ['ALL'] } };
    expect(spec).toEqual({
      hostPID: false,
      containers: [
        { name: 'a', securityContext: { ...securityContext, privileged: false } },
        { name: 'b', securityContext },
      ],
    });
    expect(fixed.toSorted()).toEqual(['ORG-001', 'ORG-002', 'ORG-003', 'ORG-003']);
    expect(unfixed).toEqual([]);
  });

  it('leaves an object alone that needs none', () => {
    expect(fix(podRules, { containers: [{ name: 'b', securityContext: { capabilities: { drop: ['ALL'] } } }] })).toMatchObject({
      same: true,
      fixed: [],
    });
  });

  it('makes a change that can stop a workload only if that is asked for', () => {
    const risky = newRule(
      'ORG-004',
      'podSpec.?hostPID.orValue(false) != true',
      { test_after: 'Test that it starts.', set: { '/spec/hostPID': false } },
      { path: '/spec/hostPID' },
    );
    expect(fix([risky], { hostPID: true })).toEqual({
      spec: { hostPID: true },
      same: true,
      fixed: [],
      unfixed: ['ORG-004 /spec/hostPID: the fix can stop the workload: --fix-unsafe applies it and lists what to test afterwards'],
    });
    expect(fix([risky], { hostPID: true }, { unsafe: true })).toMatchObject({ spec: { hostPID: false }, fixed: ['ORG-004'], unfixed: [] });
  });

  it('does not touch what an exception accepts', () => {
    const exceptions = [{ rule: 'ORG-001', reason: 'known' }];
    expect(fix(podRules, { hostPID: true, containers: [] }, { exceptions })).toMatchObject({ same: true, fixed: [], unfixed: [] });
  });

  it('counts what another edit has mended', () => {
    const both = [wants('ORG-001', 'a', true), newRule('ORG-002', 'podSpec.?a.hasValue()', undefined)];
    expect(fix(both, { containers: [] }).fixed.toSorted()).toEqual(['ORG-001', 'ORG-002']);
  });
});

describe('an edit is given up', () => {
  const reasonOf = (...args: Parameters<typeof fix>) => fix(...args).unfixed.join();

  it('where its rule does not call it safe', () => {
    const privileged = [{ name: 'a', securityContext: { privileged: true, capabilities: { drop: ['ALL'] } } }];
    expect(fix(podRules, { template: { spec: { containers: privileged } } }, { kind: 'DaemonSet' })).toMatchObject({
      same: true,
      unfixed: [
        'ORG-002 /spec/template/spec/containers/0/securityContext/privileged: the fix might not be safe here: review it and apply it by hand',
      ],
    });
  });

  it('where another rule would then fail', () => {
    const other = newRule('ORG-009', '!podSpec.?a.hasValue()', undefined);
    expect(reasonOf([wants('ORG-001', 'a', true), other], { containers: [] })).toBe(
      'ORG-001 /spec/a: ORG-009 would then fail: Title of ORG-009',
    );
  });

  it('where the finding would remain', () => {
    expect(reasonOf([wants('ORG-001', 'a', true, { '/spec/b': true })], { containers: [] })).toBe(
      'ORG-001 /spec/a: the finding would remain',
    );
  });

  it('where the rule evaluates something of its own making', () => {
    const rule = newRule('ORG-001', 'item == 2', { set: { '/spec/x': 1 } }, { each: '[1]' });
    expect(reasonOf([rule], { containers: [] })).toContain('the place to change is unknown');
  });

  it('where something else stands', () => {
    expect(reasonOf([wants('ORG-001', 'a', true, { '/spec/a/b': true })], { a: 'x', containers: [] })).toContain(
      'the value at /spec/a is not what the fix expects',
    );
  });

  it('where a part must not be changed', () => {
    const frozen = [{ path: ['spec', 'a'], reason: 'it is written in stone' }];
    expect(reasonOf([wants('ORG-001', 'a', true)], { containers: [] }, { frozen })).toContain('it is written in stone');
    expect(reasonOf([wants('ORG-001', 'a', true)], { containers: [] }, { frozen: [{ path: [], reason: 'all of it is' }] })).toContain(
      'all of it is',
    );
    expect(fix([wants('ORG-001', 'b', true)], { containers: [] }, { frozen }).fixed).toEqual(['ORG-001']);
  });

  it('where rules read the place for other objects', () => {
    const set = { ...newRule('ORG-009', 'true', undefined, { targets: ['Namespace +set'] }), set: { Pod: ['/spec/a'] } };
    expect(reasonOf([wants('ORG-001', 'a', true), set], { containers: [] })).toContain('rules for other resources read');
    const everyPod = { ...set, set: { PodSpec: ['/spec/a'] } };
    expect(reasonOf([wants('ORG-001', 'a', true), everyPod], { containers: [] })).toContain('rules for other resources read');
    const lessSevere = { ...everyPod, severity: 'LOW' as const };
    expect(reasonOf([wants('ORG-001', 'a', true), lessSevere], { containers: [] })).toBe('');
    expect(reasonOf([{ ...wants('ORG-001', 'a', true), severity: 'LOW' as const }, lessSevere], { containers: [] })).toContain(
      'read the fields',
    );
    const elsewhere = { ...set, set: { Pod: ['/spec/containers/*/a'] } };
    expect(reasonOf([wants('ORG-001', 'a', true), elsewhere], { containers: [{ name: 'x' }] })).toBe('');
  });
});

describe('edits that have to do with one another', () => {
  it('wait for one another, whatever their order', () => {
    // The first may only be made once the second has been.
    const first = wants('ORG-001', 'a', true);
    const guard = newRule('ORG-002', 'podSpec.?a.orValue(false) != true || podSpec.?b.orValue(false) == true', undefined);
    expect(fix([first, guard, wants('ORG-003', 'b', true)], { containers: [] })).toMatchObject({ spec: { a: true, b: true }, unfixed: [] });
  });

  it('of which one would undo the other leave the first, by the order of the rules', () => {
    const result = fix([wants('ORG-002', 'a', false), wants('ORG-001', 'a', true)], { containers: [] });
    expect(result).toMatchObject({ spec: { a: true }, fixed: ['ORG-001'] });
    expect(result.unfixed).toEqual(['ORG-002 /spec/a: ORG-001 would then fail: Title of ORG-001']);
  });

  it('are made one by one where they do not go together', () => {
    const rule = newRule('ORG-001', 'container.?x.orValue(0) == 1', { set: { '/x': 1 } }, { each: 'containers', path: '/x' });
    const other = newRule('ORG-002', 'container.?name.orValue("") != "b" || !container.?x.hasValue()', undefined, { each: 'containers' });
    const result = fix([rule, other], { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect(result.spec).toEqual({ containers: [{ name: 'a', x: 1 }, { name: 'b' }, { name: 'c', x: 1 }] });
    expect(result.unfixed).toEqual(['ORG-001 /spec/containers/1/x: ORG-002 would then fail: Title of ORG-002']);
  });

  it('are tried a bounded number of times', () => {
    const containers = Array.from({ length: 210 }, (_, index) => ({ name: `c${index}` }));
    const rule = newRule('ORG-001', 'container.?x.hasValue()', { set: { '/y': 1 } }, { each: 'containers', path: '/x' });
    const { unfixed } = fix([rule], { containers });
    expect(unfixed.length).toBe(210);
    expect(unfixed.filter((one) => one.includes('too many fixes')).length).toBe(11);
  });
});
