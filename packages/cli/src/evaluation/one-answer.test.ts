import { fixedClock } from '@bylaw/core/clock';
import type { RunContext } from '@bylaw/core/endpoint';
import type { EvaluationRequest } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { answerOperation, type Operation } from '@bylaw/core/operation';
import { textInput } from '@bylaw/core/resource';
import { catalogueOf, type LoadedPack, type RuleDetail, type Severity } from '@bylaw/core/rule';
import { type RequestDefaults, reportText } from '@bylaw/core/service';
import { describe, expect, it } from 'vitest';
import { evaluate, getCompliance, getRule, listRules } from '../endpoints/index.js';
import { evaluationEvents } from './evaluation-events.js';

const ruleDetail = (id: string, severity: Severity, more: Partial<RuleDetail> = {}): RuleDetail => ({
  id,
  category: id.slice(0, id.indexOf('-')),
  severity,
  title: `Title of ${id}`,
  description: 'Why it matters.',
  targets: ['PodSpec'],
  logic: [{ targets: ['PodSpec'], expression: 'podSpec.?hostPID.orValue(false) != true' }],
  fix: 'Mend it.',
  frameworks: [],
  references: [],
  peers: [],
  examples: [{ fail: {} }],
  ...more,
});

const rules = [
  ruleDetail('CS-001', 'CRITICAL', { frameworks: ['CIS-K8S-1.10:5.2.2'], title: 'Containers do not run privileged' }),
  ruleDetail('CS-002', 'HIGH', {
    logic: [{ targets: ['PodSpec'], expression: 'podSpec.hostname in config.allowed || config.?other.hasValue()' }],
  }),
  ruleDetail('SP-001', 'CRITICAL'),
];

const settings = {
  allowed: { description: 'Allowed names.', default: [] },
  other: { description: 'Another.', default: 1 },
  unused: { description: 'Read by no rule here.', default: 2 },
};
const pack: LoadedPack = {
  name: 'test',
  settings,
  constants: {},
  rules,
  detail: (one) => rules.find(({ id }) => id === one.id) ?? ruleDetail(one.id, 'INFO'),
};
const catalogue = catalogueOf([pack], { packs: [], ruleDirs: [] });
const clock = fixedClock('2026-01-01');
const contextWith = (defaults: RequestDefaults): RunContext => ({
  clock,
  catalogue: async () => catalogue,
  evaluation: async () => ({ version: '1.2.3', defaults, comparers: [], readers: [], place: {} }),
});
const CONTEXT = contextWith({});

const list = async (query: Parameters<typeof listRules.run>[0]) => listRules.run(query, undefined, CONTEXT);
const ids = async (query: Parameters<typeof listRules.run>[0]) => (await list(query)).rules.map(({ id }) => id);
const rule = async (id: string) => getRule.run({ rule_id: id }, undefined, CONTEXT);

/** Evaluated by a command. */
const evaluatedHere = (request: EvaluationRequest) =>
  reportText(evaluationEvents(request, { catalogue: CONTEXT.catalogue, clock, loaded: { remote: {} } } as Installation, {})); // all that is asked of it

/** Evaluated by a server. */
const answered = async (body: string, defaults: RequestDefaults) => {
  const request = { body: Buffer.from(body) };
  const given = await answerOperation(evaluate as Operation, request, contextWith(defaults), async () => undefined); // as threads do
  return given && 'body' in given ? { body: new TextDecoder().decode(given.body) } : given;
};

describe('listing rules', () => {
  it('answers all of them in the order of the catalogue, with the members of the list only', async () => {
    const all = await list({});
    expect(all.rules.map(({ id }) => id)).toEqual(['CS-001', 'CS-002', 'SP-001']);
    expect(all.total).toBe(3);
    expect(Object.keys(all.rules[0] ?? {})).toEqual(['id', 'category', 'severity', 'title', 'targets', 'frameworks']);
  });

  it('combines filters, and takes codes and severities in any case', async () => {
    expect(await ids({ category: ['cs'], severity: ['critical'] })).toEqual(['CS-001']);
    expect(await ids({ category: ['CS', 'SP'], severity: ['CRITICAL'] })).toEqual(['CS-001', 'SP-001']);
    expect(await ids({ framework: ['CIS-K8S'] })).toEqual(['CS-001']);
    expect(await ids({ search: 'PRIVILEGED containers' })).toEqual(['CS-001']);
  });

  it('knows every category of the catalogue, installed or not, and no other', async () => {
    expect(await list({ category: ['AWS'] })).toEqual({ rules: [], total: 0, installed: 0, not_installed: ['AWS'] });
    await expect(list({ category: ['XX'] })).rejects.toMatchObject({ code: 'category-unknown' });
    await expect(list({ severity: ['SEVERE'] })).rejects.toMatchObject({ code: 'severity-unknown' });
  });

  it('cuts a page out of the list, and still tells how many there are', async () => {
    const page = await list({ limit: 1, offset: 1 });
    expect(page.rules.map(({ id }) => id)).toEqual(['CS-002']);
    expect(page.total).toBe(3);
    expect(await ids({ offset: 9 })).toEqual([]);
  });
});

describe('one rule', () => {
  it('comes whole, with its pack and those settings that it reads', async () => {
    const document = await rule('cs-002');
    expect(document).toMatchObject({ id: 'CS-002', pack: 'test', examples: [{ fail: {} }] });
    expect(Object.keys(document.config)).toEqual(['allowed', 'other']);
  });

  it('that does not exist is refused with the nearest one', async () => {
    await expect(rule('CS-0001')).rejects.toMatchObject({ code: 'rule-unknown', hint: expect.stringContaining('CS-001') });
  });
});

describe('an evaluation with compliance', () => {
  it('is the same bytes by a command and as the answer to a request', async () => {
    const file = { path: 'pod.yaml', content: '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {hostPID: true, containers: []}}' };
    const inputs = [textInput(file.path, file.content)];
    const here = await evaluatedHere({ inputs, filter: { frameworks: ['CIS-K8S'] }, includeCompliance: true });
    const body = JSON.stringify({ files: [file], frameworks: ['CIS-K8S'], include_compliance: true });
    expect(await answered(body, {})).toEqual({ body: here });
    const { compliance } = JSON.parse(here);
    expect(compliance.frameworks).toMatchObject([{ id: 'CIS-K8S-1.10', counts: { pass: 0, fail: 1, not_checked: 0, not_covered: 129 } }]);
    expect(here).toContain(`"compliance": ${JSON.stringify(compliance)}\n`);
  });
});

describe('an evaluation in which exceptions do not count', () => {
  const content =
    '{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {bylaw.dev/ignore: CS-001=x}}, spec: {hostPID: true, containers: []}}';
  const file = { path: 'pod.yaml', content };
  const asked = async (body: object, defaults: RequestDefaults) =>
    answered(JSON.stringify({ files: [file], rules: ['CS-001'], ...body }), defaults);

  it('is the same bytes by a command and as the answer to a request', async () => {
    const inputs = [textInput(file.path, file.content)];
    const here = await evaluatedHere({ inputs, filter: { rules: ['CS-001'] }, exceptionsFrom: 'config' });
    expect(await asked({ exceptions_from: 'config' }, {})).toEqual({ body: here });
    expect(JSON.parse(here).findings).toMatchObject([
      { status: 'fail', would_be_suppressed: { source: 'annotation', reason: 'x', ignored_because: 'exceptions_from' } },
    ]);
  });

  it('follows the stricter of the request and the server', async () => {
    const status = async (request: object, defaults: RequestDefaults) => {
      const given = await asked(request, defaults);
      return given && 'body' in given ? JSON.parse(given.body).findings[0].status : given;
    };
    expect(await status({}, {})).toBe('suppressed');
    expect(await status({ exceptions_from: 'all' }, { exceptionsFrom: 'none' })).toBe('fail');
    expect(await status({ exceptions_from: 'none' }, { exceptionsFrom: 'all' })).toBe('fail');
    expect(await asked({ exceptions_from: 'some' }, {})).toMatchObject({ problem: { code: 'schema' } });
  });
});

describe('the compliance map', () => {
  it('counts the controls of the frameworks asked for', async () => {
    const { frameworks } = await getCompliance.run({ framework: ['CIS-K8S:5.2'] }, undefined, CONTEXT);
    expect(frameworks).toMatchObject([{ id: 'CIS-K8S-1.10', coverage: { controls_mapped: 1, controls_total: 13, rules: 1 } }]);
    await expect(getCompliance.run({ framework: ['CIS-K8S', 'NOPE'] }, undefined, CONTEXT)).rejects.toMatchObject({
      code: 'framework-unknown',
    });
  });
});
