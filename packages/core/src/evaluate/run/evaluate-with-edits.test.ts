import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../clock.js';
import { readObject } from '../../resource/index.js';
import type { JsonObject } from '../../resource/text/json.js';
import { catalogueOf, packInMemory, type RuleDetail, type RuleLogic } from '../../rule/index.js';
import { evaluateWithEdits } from './evaluate-with-edits.js';
import { planOf } from './run-plan.js';

const edit = { when: 'object.kind == "Pod"', set: { '/x': 1 } };

function rule(id: string, logic: Partial<RuleLogic>): RuleDetail {
  const whole = { targets: ['PodSpec'], expression: 'false', edit, ...logic };
  return {
    ...{ id, category: 'ORG', severity: 'LOW', title: id, description: '', fix: '' },
    ...{ targets: whole.targets, logic: [whole], frameworks: [], references: [], peers: [], examples: [] },
  };
}

function proposed(rules: RuleDetail[], object: JsonObject) {
  const catalogue = catalogueOf([packInMemory({ name: 'test', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
  const plan = planOf(catalogue, catalogue.rules, {}, fixedClock('2026-01-01'), { projections: {}, complete: false, collectKeys: false });
  const [resource] = readObject(object, { file: 'x', document: 0 }).resources;
  const { findings, edits } = resource ? evaluateWithEdits(plan, catalogue)(resource) : { findings: [], edits: new Map() };
  return findings.map((finding) => [finding.status, edits.get(finding)?.base, edits.get(finding)?.safe]);
}

const pod = (spec: JsonObject, annotations: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', annotations },
  spec,
});
const two = pod({ containers: [{ name: 'a' }], initContainers: [{ name: 'b', env: [{ name: 'x' }] }] });

describe('the edits for the findings on a resource', () => {
  it('start at what the rule evaluated: the object, a container, an item', () => {
    expect(proposed([rule('ORG-001', {})], two)).toEqual([['fail', '', true]]);
    expect(proposed([rule('ORG-001', { each: 'anyContainer' })], two)).toEqual([
      ['fail', '/spec/containers/0', true],
      ['fail', '/spec/initContainers/0', true],
    ]);
    expect(proposed([rule('ORG-001', { each: ['anyContainer', 'list(container.?env)'] })], two)).toEqual([
      ['fail', '/spec/initContainers/0/env/0', true],
    ]);
  });

  it('do not have a start if the rule itself made what it evaluated', () => {
    expect(proposed([rule('ORG-001', { each: '["a"]' })], two)).toEqual([['fail', undefined, true]]);
  });

  it('are not safe if their condition is false, or fails', () => {
    expect(proposed([rule('ORG-001', { edit: { ...edit, when: 'false' } })], two)).toEqual([['fail', '', false]]);
    expect(proposed([rule('ORG-001', { edit: { ...edit, when: 'object.nothing == 1' } })], two)).toEqual([['fail', '', false]]);
  });

  it('are not offered for what passes, or is accepted by an exception', () => {
    const accepted = pod({ containers: [] }, { 'bylaw.dev/ignore': 'ORG-001=known' });
    expect(proposed([rule('ORG-001', {}), rule('ORG-002', { expression: 'true' })], accepted)).toEqual([
      ['suppressed', undefined, undefined],
    ]);
  });
});
