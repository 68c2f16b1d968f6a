import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { catalogueOf, packInMemory, type RuleDetail } from '@bylaw/core/rule';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../json/index.js';
import { removeBundles } from '../policy/bundle-files.test-support.js';
import { manifestEvaluator } from './manifest-evaluator.js';
import { bundleOf, PROPOSAL, verdictOf } from './verdict.test-support.js';

afterAll(removeBundles);

function rule(id: string, severity: RuleDetail['severity'], targets: string[], expression: string): RuleDetail {
  const words = {
    title: `Title of ${id}`,
    description: 'd',
    fix: `Fix ${id}.`,
    frameworks: ['CIS'],
    references: [],
    peers: [],
    examples: [],
  };
  return { id, category: id.slice(0, 2), severity, targets, logic: [{ targets, expression }], ...words };
}

const PRIVILEGED = rule('CS-001', 'CRITICAL', ['PodSpec'], '!podSpec.containers.exists(c, c.?securityContext.?privileged.orValue(false))');
const TEAM = rule('OP-001', 'LOW', ['Pod'], 'has(object.metadata.labels) && config.label in object.metadata.labels');

function evaluatorOf(rules: RuleDetail[] = [PRIVILEGED, TEAM], packs = {}) {
  const pack = packInMemory({
    name: 'p',
    settings: { label: { description: 'd', type: 'string', default: 'team' } },
    constants: {},
    rules,
  });
  const catalogue = catalogueOf([pack], { packs: [], ruleDirs: [] });
  return manifestEvaluator({
    catalogue,
    engine: createEngine({ catalogue, clock: fixedClock('2026-01-01T00:00:00Z') }),
    config: { packs },
  });
}

const pod = (metadata: object, securityContext: object = {}): Json =>
  JSON.parse(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', ...metadata },
      spec: { containers: [{ name: 'c', image: 'i', securityContext }] },
    }),
  );

const GOOD = pod({ labels: { team: 'shop' } });
const BAD = pod({}, { privileged: true });

describe('the evaluate of manifests', () => {
  it('names the rules that failed, once each, with the score', async () => {
    const { governance, findings } = await evaluatorOf()([BAD, GOOD, BAD]);
    expect(governance).toEqual({
      catalogue_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      score: expect.any(Number),
      rules: ['CS-001', 'OP-001'],
      unchecked: 0,
      incomplete: false,
    });
    expect(governance.score).toBeLessThan(80);
    expect(findings).toHaveLength(4);
    expect(findings[0]).toEqual({
      rule_id: 'CS-001',
      category: 'CS',
      severity: 'CRITICAL',
      title: 'Title of CS-001',
      status: 'fail',
      resource: { api_version: 'v1', kind: 'Pod', namespace: null, name: 'web' },
      path: expect.any(String),
      message: 'Title of CS-001',
      fix: 'Fix CS-001.',
      frameworks: ['CIS'],
    });
  });

  it('finds nothing in what is good', async () => {
    expect(await evaluatorOf()([GOOD])).toMatchObject({ governance: { score: 100, rules: [] }, findings: [] });
  });

  it('gives no score to what no rule covers, and counts it beside what is good', async () => {
    expect(await evaluatorOf()([ROLE])).toMatchObject({
      governance: { score: null, rules: [], unchecked: 1, incomplete: false },
      findings: [],
      unchecked_kinds: [{ kind: 'ClusterRole', count: 1 }],
    });
    expect(await evaluatorOf()([GOOD, ROLE, ROLE])).toMatchObject({ governance: { score: 100, unchecked: 2 } });
  });

  it('is incomplete where a manifest cannot be read', async () => {
    expect((await evaluatorOf()([GOOD, 'kind: Pod'])).governance).toMatchObject({ score: 0, incomplete: true });
    expect((await evaluatorOf()([GOOD])).governance.incomplete).toBe(false);
  });

  it('is complete although a manifest refers to an object that is not in the proposal', async () => {
    const refers = rule(
      'AC-001',
      'HIGH',
      ['Pod +set'],
      '!podSpec.?serviceAccountName.hasValue() || resources.referenced("ServiceAccount", objectNamespace, podSpec.serviceAccountName).hasValue()',
    );
    const asking = { ...refers, set: { ServiceAccount: [] } };
    const manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bot' },
      spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
    };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    expect((await evaluatorOf([PRIVILEGED, asking])([GOOD, manifest])).governance).toMatchObject({ incomplete: false, score: 100 });
    expect((await evaluatorOf([asking])([manifest, account])).governance).toMatchObject({ incomplete: false, score: 100 });
  });

  it.each<[string, Json]>([
    ['an annotation', pod({ annotations: { 'bylaw.dev/ignore': 'CS-001=because;OP-001=because' } }, { privileged: true })],
    ['an annotation without a reason', pod({ annotations: { 'bylaw.dev/ignore': 'CS-001' } }, { privileged: true })],
  ])('lets nobody excuse himself by %s', async (_, manifest) => {
    const [excused, plain] = [await evaluatorOf()([manifest]), await evaluatorOf()([BAD])];
    expect(excused).toEqual(plain);
  });

  it.each<[string, Json]>([
    ['a text', 'apiVersion: v1'],
    ['null', null],
    ['an object without a kind', { apiVersion: 'v1' }],
    ['a list of texts', ['x']],
    ['an empty list', []],
  ])('gives 0 for %s beside a good manifest, and a critical finding', async (_, manifest) => {
    const { governance, findings } = await evaluatorOf()([GOOD, manifest]);
    expect(governance).toMatchObject({ score: 0, rules: [] });
    expect(findings).toMatchObject([{ severity: 'CRITICAL', status: 'error', message: 'A manifest could not be evaluated.' }]);
  });

  it('evaluates the items of lists', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [BAD] };
    expect((await evaluatorOf()([list])).governance.rules).toEqual(['CS-001', 'OP-001']);
    expect((await evaluatorOf()([[BAD]])).governance.rules).toEqual(['CS-001', 'OP-001']);
  });

  it('follows the settings of the packs, and shows them in its digest', async () => {
    const [team, owner] = [await evaluatorOf()([GOOD]), await evaluatorOf(undefined, { p: { label: 'owner' } })([GOOD])];
    expect([team.governance.rules, owner.governance.rules]).toEqual([[], ['OP-001']]);
    expect(owner.governance.catalogue_digest).not.toBe(team.governance.catalogue_digest);
  });

  it('has a digest of its own for each catalogue', async () => {
    const digest = async (rules: RuleDetail[]) => (await evaluatorOf(rules)([])).governance.catalogue_digest;
    expect(await digest([PRIVILEGED, TEAM])).toBe(await digest([TEAM, PRIVILEGED]));
    expect(await digest([{ ...PRIVILEGED, severity: 'HIGH' }, TEAM])).not.toBe(await digest([PRIVILEGED, TEAM]));
  });
});

const ROLE = JSON.parse(
  '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"all"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}',
) as Json;

describe('a verdict on manifests', () => {
  const withManifests = (manifests: Json) => ({ action: { ...PROPOSAL.action, parameters: { manifests } } });
  const bundle = () =>
    bundleOf({
      base: {},
      'no-critical': { effect: 'deny', when: 'governance.present && governance.findings.exists(f, f.severity == "CRITICAL")' },
      'good-score': { effect: 'require_approval', approval: { groups: ['sre'] }, when: 'governance.present && governance.score < 100' },
    });

  it.each<[string, Json, string, string[] | null]>([
    ['a bad one', [BAD], 'DENY', ['CS-001', 'OP-001']],
    ['one that is not perfect', [pod({})], 'REQUIRE_APPROVAL', ['OP-001']],
    ['a good one', [GOOD], 'ALLOW', []],
    ['one that stands alone', BAD, 'DENY', ['CS-001', 'OP-001']],
    ['a text, which nobody can evaluator', 'kind: Pod', 'DENY', []],
    ['none', [], 'ALLOW', null],
  ])('%s', async (_, manifests, decision, rules) => {
    const verdict = await verdictOf(await bundle(), withManifests(manifests), {}, evaluatorOf());
    expect([verdict.decision, verdict.governance?.rules ?? null]).toEqual([decision, rules]);
  });

  it('on a ClusterRole that may do everything is no ALLOW by a policy that wants a good score', async () => {
    const wantsScore = await bundleOf({ base: { when: 'governance.present && governance.score >= 80' } });
    const verdict = await verdictOf(wantsScore, withManifests([ROLE]), {}, evaluatorOf());
    expect(verdict).toMatchObject({ decision: 'DENY', governance: { score: null, unchecked: 1 } });
    expect((await verdictOf(wantsScore, withManifests([GOOD]), {}, evaluatorOf())).decision).toBe('ALLOW');
  });

  it('shows no kind of the caller in the verdict, where policies see it', async () => {
    const asking = await bundleOf({
      base: {},
      'no-roles': { effect: 'deny', when: 'governance.present && governance.unchecked_kinds.exists(k, k.kind == "ClusterRole")' },
    });
    const verdict = await verdictOf(asking, withManifests([ROLE]), {}, evaluatorOf());
    expect(verdict.decision).toBe('DENY');
    expect(JSON.stringify(verdict)).not.toContain('ClusterRole');
  });
});
