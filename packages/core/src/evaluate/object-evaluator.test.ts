import { describe, expect, it } from 'vitest';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { matchesGlob } from './exceptions/glob.js';
import { type ObjectEvaluationOptions, objectEvaluator } from './object-evaluator.js';

function rule(id: string, logic: RuleDetail['logic']): RuleDetail {
  return {
    id,
    category: id.slice(0, id.indexOf('-')),
    severity: 'HIGH',
    title: `Title of ${id}`,
    description: 'd',
    targets: logic.flatMap(({ targets }) => targets),
    logic,
    fix: 'f',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
  };
}

const PRIVILEGED = rule('CS-001', [
  {
    targets: ['PodSpec'],
    each: 'anyContainer',
    expression: 'container.?securityContext.?privileged.orValue(false) != true',
    path: '/securityContext/privileged',
    message: '"container " + container.name',
  },
]);

function evaluatorOf(
  rules: RuleDetail[],
  how: Partial<ObjectEvaluationOptions> = {},
  now: () => Date = () => new Date('2026-11-21T12:00:00Z'),
) {
  const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
  return objectEvaluator(catalogue, { annotations: () => true, ...how }, { now });
}

function pod(names: string[], metadata: object = {}) {
  const containers = names.map((name) => ({ name, image: 'a', securityContext: { privileged: true } }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata }, spec: { containers } };
}

describe('evaluating one object after another', () => {
  it('leaves out rules that look at a set, unless they name the kind without the set, too', () => {
    const logic = { expression: 'resources.ofKind("Role").size() > 0', message: '"alone" + resources.grantText(object)' };
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { kind: 'Role', name: 'r' },
    };
    const onSet = { ...rule('AC-001', [{ ...logic, targets: ['RoleBinding +set'] }]), set: { Role: [] } };
    const both = { ...rule('AC-002', [{ ...logic, targets: ['RoleBinding', 'RoleBinding +set'] }]), set: { Role: [] } };
    const { rules, evaluate } = evaluatorOf([onSet, both]);
    expect(rules.map(({ id }) => id)).toEqual(['AC-002']);
    expect(evaluate(binding).findings).toMatchObject([{ rule_id: 'AC-002', status: 'fail', message: 'alone' }]);
  });

  it('gives the findings of an object, without a location, and tells the same ones in its next version', () => {
    const { evaluate } = evaluatorOf([PRIVILEGED]);
    const old = evaluate(pod(['app']), 'shop');
    const next = evaluate(pod(['new', 'app']), 'shop');
    expect(old.findings).toMatchObject([
      { status: 'fail', location: null, path: '/spec/containers/0/securityContext/privileged', resource: { namespace: 'shop' } },
    ]);
    expect(next.findings).toHaveLength(2);
    expect(next.keys[0]).not.toBe(old.keys[0]);
    expect(next.keys[1]).toBe(old.keys[0]);
    expect(evaluate(pod([]))).toEqual({ findings: [], keys: [], errors: [], unchecked: [] });
  });

  it('treats every object as one that an API server holds', () => {
    const { evaluate } = evaluatorOf([rule('OP-001', [{ targets: ['Pod'], expression: '!live' }])]);
    expect(evaluate(pod([])).findings).toHaveLength(1);
  });

  it('leaves out what needs the whole set, and evaluates the rest of such a rule', () => {
    const both = rule('SC-001', [
      { targets: ['Pod', 'Service +set'], expression: 'false' },
      { targets: ['Secret +set'], expression: 'size(resources.ofKind("Pod")) > 0' },
    ]);
    const { evaluate, rules } = evaluatorOf([both, rule('SC-002', [{ targets: ['Pod +set'], expression: 'false' }])]);
    expect(rules.map(({ id }) => id)).toEqual(['SC-001']);
    const found = (kind: string) => evaluate({ apiVersion: 'v1', kind, metadata: { name: 'a' } }).findings.length;
    expect(['Pod', 'Service', 'Secret'].map(found)).toEqual([1, 0, 0]);
  });

  it('honours the annotation only in the namespaces named', () => {
    const { evaluate } = evaluatorOf([PRIVILEGED], { annotations: (namespace) => namespace === 'trusted' });
    const annotated = pod(['app'], { annotations: { 'bylaw.dev/ignore': 'CS-001=needed; CS-002' } });
    expect(evaluate(annotated, 'trusted')).toMatchObject({
      findings: [{ status: 'suppressed' }],
      errors: [{ code: 'exception-without-reason' }],
    });
    expect(evaluate(annotated, 'shop')).toMatchObject({ findings: [{ status: 'fail' }], errors: [] });
    expect(evaluate(annotated)).toMatchObject({ findings: [{ status: 'fail' }] });
  });

  it('lets an exception end while it lives', () => {
    let now = '2026-11-21T23:59:59Z';
    const exceptions = [{ rule: 'CS-001', reason: 'r', expires: '2026-11-21' }];
    const { evaluate } = evaluatorOf([PRIVILEGED], { exceptions }, () => new Date(now));
    expect(evaluate(pod(['app'])).findings[0]?.status).toBe('suppressed');
    now = '2026-11-22T00:00:00Z';
    expect(evaluate(pod(['app'])).findings[0]?.status).toBe('fail');
  });

  it('continues after thousands of different kinds', () => {
    const { evaluate } = evaluatorOf([PRIVILEGED]);
    for (let i = 0; i < 5000; i++) evaluate({ apiVersion: 'v1', kind: `Kind${i}`, metadata: {} });
    expect(evaluate(pod(['app'])).findings).toHaveLength(1);
  });

  it.each([[null], [7], [[]], ['text'], [{}], [{ kind: 'Pod' }]])('says that %j is not an object', (value) => {
    const evaluated = evaluatorOf([PRIVILEGED]).evaluate(value);
    expect(evaluated.findings).toEqual([]);
    expect(evaluated.errors.length).toBe(value === null ? 0 : 1);
  });

  it('stops rules that take too long on an object, and continues with the next one', () => {
    const items = Array.from({ length: 8000 }, (_, index) => index);
    const slow = rule('CS-002', [{ targets: ['Pod'], expression: 'object.items.all(a, object.items.exists(b, b == a))' }]);
    const { evaluate } = evaluatorOf([slow, PRIVILEGED]);
    expect(evaluate({ ...pod(['app']), items }).findings).toMatchObject([
      { rule_id: 'CS-001', status: 'fail' },
      { rule_id: 'CS-002', status: 'error', message: expect.stringContaining('it takes more than 200,000,000 steps') },
    ]);
    expect(evaluate({ ...pod(['app']), items: items.slice(0, 100) }).findings).toMatchObject([{ rule_id: 'CS-001' }]);
  });

  it('refuses rules that it does not know', () => {
    expect(() => evaluatorOf([PRIVILEGED], { filter: { rules: ['CS-999'] } })).toThrow(/No installed rule has this identifier/);
  });
});

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['team-*', 'team-', true],
    ['team-*', 'tea', false],
    ['*-dev', 'shop-dev', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b', 'ab', true],
    ['ab*ba', 'aba', false],
    ['?x', 'ax', true],
    ['?', '', false],
    ['', '', true],
    ['a**b', 'axb', true],
  ])('%j says of %j: %s', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });
});
