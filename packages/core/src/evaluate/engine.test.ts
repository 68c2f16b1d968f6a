import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { createEngine, type EvaluationRequest } from './engine.js';
import type { EvaluationEvent } from './findings/evaluation.js';
import type { Finding } from './findings/finding.js';

function rule(id: string, logic: RuleDetail['logic'][number], more: Partial<RuleDetail> = {}): RuleDetail {
  return {
    id,
    category: id.slice(0, id.indexOf('-')),
    severity: 'HIGH',
    title: `Title of ${id}`,
    description: 'd',
    targets: logic.targets,
    logic: [logic],
    fix: 'f',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
    ...more,
  };
}

async function run(rules: RuleDetail[], text: string, request: Partial<EvaluationRequest> = {}, today = '2026-11-21') {
  const catalogue = catalogueOf(
    [packInMemory({ name: 'p', settings: { limit: { description: 'd', default: 3 } }, constants: { best: 7 }, rules })],
    {
      packs: [],
      ruleDirs: [],
    },
  );
  const engine = createEngine({ catalogue, clock: fixedClock(`${today}T12:00:00Z`) });
  const findings: Finding[] = [];
  let end: Extract<EvaluationEvent, { type: 'end' }> | undefined;
  for await (const event of engine.evaluate({ inputs: [textInput('a.yaml', text)], threads: 0, ...request })) {
    if (event.type === 'end') end = event;
    else findings.push(...event.batch.findings());
  }
  if (!end) throw new Error('no end');
  return { findings, end };
}

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  initContainers:
    - name: setup
      image: one
  containers:
    - name: app
      image: two
      ports:
        - containerPort: 80
        - containerPort: 8080
`;

describe('evaluating a resource', () => {
  it('evaluates a rule once per container, with its place and its kind', async () => {
    const { findings } = await run(
      [
        rule('T-001', {
          targets: ['PodSpec'],
          each: 'anyContainer',
          expression: 'false',
          path: '/image',
          message: 'containerKind + " " + container.name',
        }),
      ],
      POD,
    );
    expect(findings.map(({ message, path, location }) => [message, path, location?.line])).toEqual([
      ['init setup', '/spec/initContainers/0/image', 9],
      ['app app', '/spec/containers/0/image', 12],
    ]);
  });

  it('evaluates a rule once per item of a list of a container, and finds the place of the item', async () => {
    const logic = {
      targets: ['Pod'],
      each: ['anyContainer', 'list(container.?ports)'] as [string, string],
      expression: 'item.containerPort > 1024',
      path: '/containerPort',
    };
    const { findings } = await run([rule('T-001', logic)], POD);
    expect(findings.map(({ path, location }) => [path, location])).toEqual([
      ['/spec/containers/0/ports/0/containerPort', { file: 'a.yaml', line: 14, column: 11 }],
    ]);
  });

  it('locates a finding about an absent field at its deepest existing ancestor', async () => {
    const { findings } = await run(
      [rule('T-001', { targets: ['PodSpec'], expression: 'false', path: '/spec/securityContext/runAsUser' })],
      POD,
    );
    expect(findings[0]).toMatchObject({ path: '/spec/securityContext/runAsUser', location: { line: 6, column: 1 } });
  });

  describe('with a rule that is a consequence of another', () => {
    const logic = (expression: string) => ({ targets: ['PodSpec'], each: 'anyContainer', expression });
    const cause = rule('T-001', logic('container.name != "app"'));
    const causedBy = (when?: string) => ({ ...logic('false'), caused_by: [{ rules: ['T-001'], ...(when !== undefined && { when }) }] });
    const consequence = rule('T-002', causedBy());
    const causes = async (rules: RuleDetail[], request: Partial<EvaluationRequest> = {}) =>
      (await run(rules, POD, request)).findings.map(({ rule_id, path, status, caused_by }) => [rule_id, path, status, caused_by]);

    it('names the cause where it fails on the same container', async () => {
      expect(await causes([cause, consequence])).toEqual([
        ['T-002', '/spec/initContainers/0', 'fail', undefined],
        ['T-001', '/spec/containers/0', 'fail', undefined],
        ['T-002', '/spec/containers/0', 'fail', 'T-001'],
      ]);
    });

    it('names none while the cause is excepted or not selected', async () => {
      const excepted = await causes([cause, consequence], { exceptions: [{ rule: 'T-001', reason: 'known' }] });
      expect(excepted.at(-1)).toEqual(['T-002', '/spec/containers/0', 'fail', undefined]);
      const alone = await causes([cause, consequence], { filter: { rules: ['T-002'] } });
      expect(alone.at(-1)).toEqual(['T-002', '/spec/containers/0', 'fail', undefined]);
    });

    it('names it only under its condition', async () => {
      const given = async (when: string) => (await causes([cause, rule('T-002', causedBy(when))])).at(-1);
      expect(await given('container.name == "app"')).toEqual(['T-002', '/spec/containers/0', 'fail', 'T-001']);
      expect(await given('container.name != "app"')).toEqual(['T-002', '/spec/containers/0', 'fail', undefined]);
      expect(await given('container.nope.nothing == 1')).toEqual(['T-002', '/spec/containers/0', 'fail', undefined]);
    });

    it('counts both', async () => {
      const { end } = await run([cause, consequence], POD);
      expect(end.summary.findings).toBe(3);
    });
  });

  it('locates a finding at the line of a text that `line` names, and at the key where it names none', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: |\n    one\n    two\n  c: "one\\ntwo"\n';
    const logic = { targets: ['ConfigMap'], each: 'entries(object.?data)', expression: 'false' };
    const placesWith = async (line: string) => {
      const { findings } = await run([rule('T-001', { ...logic, line })], text);
      return findings.map(({ path, location }) => `${path} ${location?.line}:${location?.column}`);
    };
    expect(await placesWith('2')).toEqual(['/data/b 7:5', '/data/c 8:6']);
    expect(await placesWith('0')).toEqual(['/data/b 5:3', '/data/c 8:3']);
  });

  it('evaluates `line` for findings only, and refuses one that is not a whole number', async () => {
    const logic = { targets: ['Pod'], line: 'object.nope.nothing' };
    expect((await run([rule('T-001', { ...logic, expression: 'true' })], POD, { includePassed: true })).findings).toMatchObject([
      { status: 'pass' },
    ]);
    expect((await run([rule('T-001', { ...logic, expression: 'false' })], POD)).findings).toMatchObject([{ status: 'error' }]);
    const { findings } = await run([rule('T-001', { targets: ['Pod'], expression: 'false', line: '"2"' })], POD);
    expect(findings[0]?.message).toBe('The rule could not be evaluated: `line` must return a whole number.');
  });

  it('does not count a resource to which `when` does not apply', async () => {
    const { findings, end } = await run([rule('T-001', { targets: ['PodSpec'], when: 'false', expression: 'false' })], POD);
    expect(findings).toEqual([]);
    expect(end.score.by_category).toEqual({ T: null });
  });

  it('turns a rule that fails to evaluate into one error finding and continues', async () => {
    const { findings, end } = await run(
      [
        rule('T-001', { targets: ['Pod'], expression: 'object.nope.nothing == 1' }),
        rule('T-002', { targets: ['Pod'], expression: 'false' }),
      ],
      POD,
    );
    expect(findings.map(({ rule_id, status }) => [rule_id, status])).toEqual([
      ['T-001', 'error'],
      ['T-002', 'fail'],
    ]);
    expect(findings[0]?.message).toMatch(/^The rule could not be evaluated: /);
    expect(end.summary).toMatchObject({ findings: 1, errors: 1 });
  });

  it('stops a rule that would run for hours, and loses nothing else', async () => {
    const name = 'a'.repeat(5000);
    const characters = 'text(object.metadata.name).split("")';
    const text = `${POD}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n---\n${POD}`;
    const nested = `${characters}.all(a, ${characters}.all(b, ${characters}.all(c, a != "-")))`;
    const started = performance.now();
    const { findings, end } = await run(
      [
        rule('T-001', { targets: ['*'], expression: `!(${nested})` }),
        rule('T-002', { targets: ['*'], expression: 'false' }),
        rule('T-003', { targets: ['*'], each: `[${nested}].filter(ok, ok)`, expression: 'false' }),
      ],
      text,
    );
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(findings.map(({ rule_id, status }) => [rule_id, status])).toEqual([
      ['T-001', 'fail'],
      ['T-002', 'fail'],
      ['T-003', 'fail'],
      ['T-001', 'error'],
      ['T-002', 'fail'],
      ['T-003', 'error'],
      ['T-001', 'fail'],
      ['T-002', 'fail'],
      ['T-003', 'fail'],
    ]);
    const errors = findings.filter(({ status }) => status === 'error').map(({ message }) => message);
    expect(new Set(errors)).toEqual(new Set(['The rule could not be evaluated: it takes more than 200,000,000 steps on this input']));
    expect(end.summary).toMatchObject({ findings: 7, errors: 2 });
  });

  it('stops a rule that takes a little while on each of thousands of items or containers', async () => {
    const list = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join(', ');
    const text = `apiVersion: v1
kind: Pod
metadata: { name: busy }
items: [${list(4000, String)}]
spec:
  containers: [${list(4000, (index) => `{ name: c${index}, image: i }`)}]
---
${POD}`;
    const busy = 'list(object.?items).all(a, list(object.?items).all(b, a >= 0 && b < 100))';
    const { findings, end } = await run(
      [
        rule('T-001', { targets: ['Pod'], each: 'list(object.?items)', expression: `${busy.replace('b < 100', 'b >= 0')} || item < 0` }),
        rule('T-002', { targets: ['PodSpec'], each: 'anyContainer', expression: `${busy.replace('b < 100', 'b >= 0')}` }),
        rule('T-003', { targets: ['PodSpec'], each: 'anyContainer', expression: 'container.name != "c7"' }),
      ],
      text,
    );
    const stopped = findings.filter(({ status }) => status === 'error');
    expect(stopped.filter(({ rule_id }) => rule_id === 'T-001')).toHaveLength(1);
    expect(stopped.filter(({ rule_id }) => rule_id === 'T-002').length).toBeGreaterThan(3000);
    expect(stopped.filter(({ rule_id }) => rule_id === 'T-003')).toHaveLength(0);
    expect(findings.filter(({ status }) => status === 'fail')).toMatchObject([{ rule_id: 'T-003', resource: { name: 'busy' } }]);
    expect(end.summary.errors).toBe(stopped.length);
  });

  it('takes no message that is longer than a page', async () => {
    const message = `[${Array.from({ length: 101 }, () => `"${'a'.repeat(70)}"`).join()}].join("${'-'.repeat(50)}")`;
    const { findings } = await run([rule('T-001', { targets: ['Pod'], expression: 'false', message })], POD);
    expect(findings).toMatchObject([{ status: 'error', message: expect.stringContaining('at most 10000 characters') }]);
  });

  it('gives rules the settings and constants of their pack', async () => {
    const logic = { targets: ['Pod'], expression: 'config.limit == 5.0 && constants.best == 7' };
    expect((await run([rule('T-001', logic)], POD)).findings).toHaveLength(1);
    expect((await run([rule('T-001', logic)], POD, { packSettings: { p: { limit: 5 } } })).findings).toHaveLength(0);
  });

  it('knows the namespace of the run where the object names none', async () => {
    const logic = { targets: ['ConfigMap'], expression: 'objectNamespace == "team"' };
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
    expect((await run([rule('T-001', logic)], text, { namespace: 'team' })).findings).toHaveLength(0);
    expect((await run([rule('T-001', logic)], text)).findings[0]?.resource.namespace).toBeNull();
  });

  it('matches kinds by group: a custom resource with a built-in name is another kind', async () => {
    const rules = [
      rule('T-001', { targets: ['Service'], expression: 'false' }),
      rule('T-002', { targets: ['serving.knative.dev/Service'], expression: 'false' }),
      rule('T-003', { targets: ['serving.knative.dev/*'], expression: 'false' }),
      rule('T-004', { targets: ['*'], expression: 'false' }),
    ];
    const { findings } = await run(rules, 'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: { name: a }\n');
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['T-002', 'T-003', 'T-004']);
  });

  it('survives keys that shadow the parts of JavaScript objects', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  constructor: a\n  __proto__: b\n  toString: c\n';
    const { findings } = await run(
      [
        rule('T-001', {
          targets: ['ConfigMap'],
          expression: 'keys(object.?data).all(k, k == "a")',
          message: 'keys(object.?data).join(",")',
        }),
      ],
      text,
    );
    expect(findings[0]).toMatchObject({ status: 'fail', message: 'constructor,__proto__,toString' });
  });
});

describe('exceptions', () => {
  const rules = [rule('T-001', { targets: ['PodSpec'], each: 'anyContainer', expression: 'false', path: '/image' })];

  it('honours an annotation with a reason, and keeps the finding, marked', async () => {
    const { findings, end } = await run(
      rules,
      POD.replace('  name: web\n', '  name: web\n  annotations: { bylaw.dev/ignore: "T-001=the vendor needs it; T-999=x" }\n'),
    );
    expect(findings.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['suppressed', { source: 'annotation', reason: 'the vendor needs it' }],
      ['suppressed', { source: 'annotation', reason: 'the vendor needs it' }],
    ]);
    expect(end.summary).toMatchObject({ findings: 0, suppressed: 2 });
    expect(end.score.overall).toBe(100);
    expect(end.score.score_without_waivers).toBeLessThan(100);
  });

  it('lets only those exceptions count that the run allows, and names the others on the findings that they cover', async () => {
    const annotated = POD.replace('  name: web\n', '  name: web\n  annotations: { bylaw.dev/ignore: "T-001=old" }\n');
    const excepted = async (text: string, request: Partial<EvaluationRequest>) => {
      const { findings, end } = await run(rules, text, request);
      const [first] = findings;
      return [first?.status, first?.suppression?.source, first?.would_be_suppressed, end.summary.findings];
    };
    const off = (source: string, reason: string) => ({ source, reason, ignored_because: 'exceptions_from' });
    const exceptions = [{ rule: 'T-*', reason: 'known' }];
    const baseline = new Set([
      JSON.stringify(['T-001', 'Pod', 'shop', 'web', '/spec/initContainers/[setup]/image']),
      JSON.stringify(['T-001', 'Pod', 'shop', 'web', '/spec/containers/[app]/image']),
    ]);
    const known = 'known when the baseline was written';
    expect(await excepted(annotated, { exceptionsFrom: 'all' })).toEqual(['suppressed', 'annotation', undefined, 0]);
    expect(await excepted(annotated, { exceptionsFrom: 'config' })).toEqual(['fail', undefined, off('annotation', 'old'), 2]);
    expect(await excepted(annotated, { exceptionsFrom: 'none' })).toEqual(['fail', undefined, off('annotation', 'old'), 2]);
    expect(await excepted(annotated, { exceptionsFrom: 'config', exceptions })).toEqual(['suppressed', 'config', undefined, 0]);
    expect(await excepted(POD, { exceptionsFrom: 'none', exceptions })).toEqual(['fail', undefined, off('config', 'known'), 2]);
    expect(await excepted(POD, { exceptionsFrom: 'config', baseline })).toEqual(['suppressed', 'baseline', undefined, 0]);
    expect(await excepted(POD, { exceptionsFrom: 'none', baseline })).toEqual(['fail', undefined, off('baseline', known), 2]);
    const commented = POD.replace('kind: Pod', 'kind: Pod # bylaw:ignore T-002 x').replace(
      '      image: two',
      '      image: two # bylaw:ignore T-001 why',
    );
    const { findings } = await run(rules, commented, { exceptionsFrom: 'config' });
    expect(findings.map(({ status, would_be_suppressed: would }) => [status, would])).toEqual([
      ['fail', undefined],
      ['fail', off('comment', 'why')],
    ]);
  });

  it('refuses an annotation without a reason', async () => {
    const { findings, end } = await run(rules, POD.replace('  name: web\n', '  name: web\n  annotations: { bylaw.dev/ignore: T-001 }\n'));
    expect(findings.every(({ status }) => status === 'fail')).toBe(true);
    expect(end.errors).toMatchObject([{ code: 'exception-without-reason', location: { line: 5 } }]);
  });

  it('honours a comment for the node below it, and only there', async () => {
    const { findings } = await run(rules, POD.replace('    - name: setup', '    # bylaw:ignore T-001 set-up needs it\n    - name: setup'));
    expect(findings.map(({ status, path }) => [status, path])).toEqual([
      ['suppressed', '/spec/initContainers/0/image'],
      ['fail', '/spec/containers/0/image'],
    ]);
  });

  it('honours an entry of the configuration through its last day', async () => {
    const exceptions = [
      { rule: 'T-*', reason: 'moving out', namespace: 'sh?p', name: 'w*', path: '/spec/containers', expires: '2026-11-21' },
    ];
    const on = await run(rules, POD, { exceptions }, '2026-11-21');
    expect(on.findings.map(({ suppression }) => suppression)).toEqual([
      undefined,
      { source: 'config', reason: 'moving out', expires: '2026-11-21' },
    ]);
    const after = await run(rules, POD, { exceptions }, '2026-11-22');
    expect(after.findings[1]).toMatchObject({
      status: 'fail',
      message: 'Title of T-001 (The exception “moving out” expired on 2026-11-21.)',
    });
  });

  it('does not honour an entry for another kind, name, namespace or file', async () => {
    for (const other of [{ kind: 'Job' }, { name: 'we' }, { namespace: 'shop2' }, { file: 'b/*.yaml' }]) {
      const { findings } = await run(rules, POD, { exceptions: [{ rule: 'T-001', reason: 'r', ...other }] });
      expect(findings.map(({ status }) => status)).toEqual(['fail', 'fail']);
    }
  });

  it('covers what a baseline holds, also when lines and list positions move', async () => {
    const keys: string[] = [];
    await run(rules, POD, { onBaselineKeys: (more) => keys.push(...more) });
    const moved = POD.replace('  containers:\n', '  containers:\n    - name: new\n      image: three\n').replace(
      '  namespace: shop',
      '\n  namespace: shop',
    );
    const { findings } = await run(rules, moved, { baseline: new Set(keys) });
    expect(findings.map(({ status, path }) => [status, path])).toEqual([
      ['suppressed', '/spec/initContainers/0/image'],
      ['fail', '/spec/containers/0/image'],
      ['suppressed', '/spec/containers/1/image'],
    ]);
  });
});

describe('rules over the set', () => {
  const rules = [
    rule(
      'T-001',
      {
        targets: ['Pod +set'],
        expression:
          'resources.lookup("Namespace", "", objectNamespace).?metadata.?labels.?team.hasValue() && resources.ofKind("Namespace").all(n, !has(n.spec))',
      },
      { set: { Namespace: ['/metadata/labels'] } },
    ),
  ];

  it('see the parts of other resources that they declare, wherever these are in the input', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { team: a } }\nspec: { finalizers: [x] }\n';
    expect((await run(rules, `${POD}---\n${namespace}`)).findings).toEqual([]);
    expect((await run(rules, `${POD}---\n${namespace.replace('shop', 'other')}`)).findings).toHaveLength(1);
  });
});

describe('rules over the set, on awkward keys', () => {
  const logic = { targets: ['Pod +set'], expression: 'resources.ofKind("Namespace").all(n, n.metadata.labels == {"a/b": "1"})' };
  const set = { Namespace: ['/metadata/labels', '/metadata/annotations/x~1y'] };
  const namespace = (labels: string) =>
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: ${labels}, annotations: { x/y: z } }\n`;

  it('survive keys that shadow the parts of JavaScript objects in other resources, too', async () => {
    const { findings } = await run([rule('T-001', logic, { set })], `${POD}---\n${namespace('{ constructor: c, __proto__: d }')}`);
    expect(findings.map(({ status }) => status)).toEqual(['fail']);
    expect((await run([rule('T-001', logic, { set })], `${POD}---\n${namespace('{ a/b: "1" }')}`)).findings).toEqual([]);
  });

  it('read parts whose names hold a slash', async () => {
    const slash = { targets: ['Pod +set'], expression: 'resources.ofKind("Namespace").all(n, n.metadata.annotations["x/y"] == "z")' };
    expect((await run([rule('T-001', slash, { set })], `${POD}---\n${namespace('{}')}`)).findings).toEqual([]);
  });
});

describe('the stream', () => {
  it('orders findings by line, then rule, and counts them', async () => {
    const rules = ['T-002', 'T-001'].map((id) => rule(id, { targets: ['PodSpec'], each: 'anyContainer', expression: 'false' }));
    const { findings, end } = await run(rules, `${POD}---\n${POD}`);
    const seen = findings.map(({ location, rule_id }) => `${String(location?.line).padStart(3)} ${rule_id}`);
    expect(seen).toEqual([...seen].sort());
    expect(end.summary).toMatchObject({ resources: 2, rules: 2, findings: 8, by_severity: { HIGH: 8 }, by_category: { T: 8 } });
  });

  it('loses no document because of a broken one, and lowers the coverage', async () => {
    const rules = [rule('T-001', { targets: ['Pod'], expression: 'false' })];
    const { findings, end } = await run(rules, `${POD}---\nkind: [\n---\n${POD}`);
    expect(findings).toHaveLength(2);
    expect(end.errors).toHaveLength(1);
    expect(end.score.coverage).toBeCloseTo(2 / 3, 3);
  });

  it.each([[''], ['# nothing\n'], ['---\n---\n']])('says so where %j holds no resource at all', async (text) => {
    const { end } = await run([rule('T-001', { targets: ['Pod'], expression: 'true' })], text);
    expect(end.errors.map(({ code }) => code)).toEqual(['no-manifests']);
  });

  it('reports passing rules on request', async () => {
    const { findings } = await run([rule('T-001', { targets: ['Pod'], expression: 'true' })], POD, { includePassed: true });
    expect(findings).toMatchObject([{ status: 'pass', rule_id: 'T-001' }]);
  });
});
