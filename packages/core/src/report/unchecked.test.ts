import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { createEngine, type EvaluationRequest } from '../evaluate/engine.js';
import type { Note } from '../note.js';
import { howToInstall } from '../publication.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, packInMemory, type RuleDetail } from '../rule/index.js';
import { reportOf } from './report-events.js';

function rule(id: string, targets: string[], severity: RuleDetail['severity'] = 'HIGH'): RuleDetail {
  return {
    id,
    category: id.slice(0, id.indexOf('-')),
    severity,
    title: `Title of ${id}`,
    description: 'Why.',
    targets,
    logic: [{ targets, expression: 'true' }],
    fix: 'Fix it.',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
  };
}

function engineOf(rules: RuleDetail[]) {
  const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
  return createEngine({ catalogue, clock: fixedClock('2026-01-01T00:00:00Z') });
}

async function run(rules: RuleDetail[], text: string, request: Partial<EvaluationRequest> = {}) {
  return reportOf(engineOf(rules).evaluate({ inputs: [textInput('all.yaml', text)], threads: 0, ...request }));
}

const of = (apiVersion: string, kind: string, name: string) =>
  `---\n{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}}}\n`;
const pod = '---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: app, image: nginx}]}}\n';
const service = of('v1', 'Service', 's');
const role = of('rbac.authorization.k8s.io/v1', 'ClusterRole', 'r');

describe('resources of kinds that no rule covers', () => {
  it('are counted by kind, the most frequent first, although they are resources of the run', async () => {
    const { summary } = await run([rule('CS-001', ['PodSpec'])], pod + service + role + role + of('argoproj.io/v1alpha1', 'Rollout', 'x'));
    expect(summary.resources).toBe(5);
    expect(summary.unchecked).toEqual([
      { kind: 'ClusterRole', count: 2 },
      { kind: 'Service', count: 1 },
      { kind: 'argoproj.io/Rollout', count: 1 },
    ]);
  });

  it('are covered by a rule that names the kind or its group, and not by one for every kind', async () => {
    const input = service + role + of('argoproj.io/v1alpha1', 'Rollout', 'x');
    const kinds = async (...targets: string[]) => (await run([rule('CS-001', targets)], input)).summary.unchecked.map(({ kind }) => kind);
    expect(await kinds('*')).toEqual(['ClusterRole', 'Service', 'argoproj.io/Rollout']);
    expect(await kinds('Service', 'ClusterRole +set', 'argoproj.io/*')).toEqual([]);
  });

  it('are those of the selected rules, not of the installed ones', async () => {
    const rules = [rule('CS-001', ['PodSpec']), rule('NS-001', ['Service'])];
    expect((await run(rules, pod + service)).summary.unchecked).toEqual([]);
    expect((await run(rules, pod + service, { filter: { categories: ['CS'] } })).summary.unchecked).toEqual([
      { kind: 'Service', count: 1 },
    ]);
  });

  it('give no score and no grade if there is nothing else, although a rule for every kind passed', async () => {
    const { score } = await run([rule('CS-001', ['*'])], service + role);
    expect(score).toEqual({
      overall: null,
      by_category: { CS: null },
      grade: null,
      score_without_waivers: null,
      coverage: 1,
      low: null,
      high: null,
    });
  });

  it('leave the score as it is but take the grade if they are more than half', async () => {
    const rules = [rule('CS-001', ['PodSpec'])];
    expect((await run(rules, pod + service)).score).toMatchObject({ overall: 100, grade: 'A', coverage: 1 });
    expect((await run(rules, pod + service + role)).score).toMatchObject({ overall: 100, grade: null, coverage: 1 });
  });

  it('are counted over all batches of a large input', async () => {
    const input = Array.from({ length: 400 }, () => pod + service + role).join('');
    const { summary } = await run([rule('CS-001', ['PodSpec'])], input, { threads: 1 });
    expect(summary.unchecked).toEqual([
      { kind: 'ClusterRole', count: 400 },
      { kind: 'Service', count: 400 },
    ]);
  });

  it('may be of a kind with a hostile name', async () => {
    const { summary } = await run([rule('CS-001', ['PodSpec'])], of('v1', '__proto__', 'x') + of('v1', 'constructor', 'x'));
    expect(summary.unchecked.map(({ kind }) => kind)).toEqual(['__proto__', 'constructor']);
  });
});

describe('the rules that a run selects', () => {
  const rules = [rule('CS-001', ['PodSpec'])];
  const attempt = async (filter: EvaluationRequest['filter'], installed = rules) => run(installed, pod, { ...(filter && { filter }) });

  it('give an error if none are installed for the category, and the error names the package', async () => {
    await expect(attempt({ categories: ['ns'] })).rejects.toMatchObject({
      code: 'no-rules-selected',
      exitCode: 2,
      message: 'No rules of category NS (Network) are installed, so nothing can be checked.',
      hint: `The rules of NS belong to @bylaw/plugin-k8s, which is not installed or does not have them yet. ${howToInstall(['@bylaw/plugin-k8s'])}`,
    });
    await expect(attempt({ categories: ['AWS', 'FO'] })).rejects.toMatchObject({
      message: 'No rules of categories AWS (Amazon Web Services), FO (FinOps) are installed, so nothing can be checked.',
      hint: `The rules of AWS, FO belong to @bylaw/plugin-cloud and @bylaw/plugin-finops, which are not installed or do not have them yet. ${howToInstall(['@bylaw/plugin-cloud', '@bylaw/plugin-finops'])}`,
    });
  });

  it('give an error if no rule is installed at all', async () => {
    await expect(attempt(undefined, [])).rejects.toMatchObject({ code: 'no-rules-selected', message: /^No rules are installed/ });
  });

  it('give a note if none are installed for one of several requested categories', async () => {
    const { notes, summary } = await attempt({ categories: ['CS', 'NS'] });
    expect(summary.rules).toBe(1);
    expect(notes).toEqual<Note[]>([
      {
        code: 'category-not-installed',
        message: `No rules of category NS (Network) are installed, so it was not checked. The rules of NS belong to @bylaw/plugin-k8s, which is not installed or does not have them yet. ${howToInstall(['@bylaw/plugin-k8s'])}`,
        count: 1,
        first: ['NS'],
      },
    ]);
  });

  it('give a note if the filter leaves none of those that are installed', async () => {
    const { notes, summary, score } = await attempt({ categories: ['CS'], severities: ['INFO'] });
    expect(notes).toMatchObject([{ code: 'no-rules-selected', count: 1 }]);
    expect(summary).toMatchObject({ rules: 0, errors: 0, unchecked: [{ kind: 'Pod', count: 1 }] });
    expect(score.overall).toBeNull();
  });

  it('come after what the caller left out itself', async () => {
    const before: Note = { code: 'category-not-installed', message: 'Earlier.', count: 1, first: [] };
    const { notes } = await run(rules, pod, { inputNotes: [before], filter: { severities: ['INFO'] } });
    expect(notes.map(({ code }) => code)).toEqual(['category-not-installed', 'no-rules-selected']);
  });
});

describe('errors that are known only after the input', () => {
  it('count as resources that were found and not read', async () => {
    const late = [{ code: 'kind-not-listed', message: 'Secret could not be listed.', location: null }] as const;
    const { errors, score, summary } = await run([rule('CS-001', ['PodSpec'])], pod, { lateErrors: () => late });
    expect(errors).toEqual(late);
    expect(summary.errors).toBe(1);
    expect(score.coverage).toBe(0.5);
  });
});
