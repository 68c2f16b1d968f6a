import { fixedClock } from '../clock.js';
import { type Projections, planOf, project, projectionPlan, readExample } from '../evaluate/index.js';
import type { Resource } from '../resource/index.js';
import { type Catalogue, isFixable, type Rule, type RuleExample } from '../rule/index.js';
import { fixResource, NOT_SAFE, type ResourceFix } from './fix-resource.js';
import { newFixer } from './fixer.js';

/** What the edit of a rule made of one of its failing examples. `problem` completes "after its edit". */
export interface EditResult {
  rule: string;
  /** Counts from 0. */
  example: number;
  problem?: string;
}

/**
 * Makes the edits of rules on their own failing examples. The rule must pass afterwards, except where its edit is not safe, no other of the
 * evaluating rules may newly fail, and a second time must change nothing. Each edit must show in some example.
 * @param evaluators the rules that evaluate the examples; absent: each rule alone
 */
export function runEdits(catalogue: Catalogue, rules: readonly Rule[], evaluators?: readonly Rule[]): EditResult[] {
  return rules.filter(isFixable).flatMap((rule) => {
    const examples = (catalogue.detail(rule.id)?.examples ?? [])
      .map((example, index) => ({ example, index }))
      .filter(({ example }) => example.fail);
    const tries = examples.map(({ example, index }) => ({ index, ...tryExample(catalogue, rule, example, evaluators ?? [rule]) }));
    const shown = tries.some(({ mended, problem }) => mended || problem !== undefined);
    return tries.map(({ index, problem }, at) => {
      const why = shown || at > 0 ? problem : 'neither this example nor any other is fixed';
      return { rule: rule.id, example: index, ...(why !== undefined && { problem: why }) };
    });
  });
}

function tryExample(
  catalogue: Catalogue,
  rule: Rule,
  example: RuleExample,
  evaluators: readonly Rule[],
): { mended: boolean; problem?: string } {
  const { resources } = readExample(example);
  const projections: Projections = {};
  for (const resource of resources) project(projectionPlan(evaluators), resource, projections);
  const pack = catalogue.packOf(rule.id);
  const request = pack && example.config ? { packSettings: { [pack.name]: example.config } } : {};
  // No exception holds on an example, so no day matters.
  const plan = planOf(catalogue, evaluators, request, fixedClock('1970-01-01'), {
    projections,
    complete: example.complete ?? false,
    collectKeys: false,
  });
  const fixer = newFixer(catalogue, evaluators, plan, true);
  const fix = (resource: Resource) => fixResource(resource, fixer, []);
  const fixes = resources.map((resource) => ({ resource, once: fix(resource) }));
  const problem = fixes
    .map(({ resource, once }) => problemOf(rule, once, fix({ ...resource, object: once.object })))
    .find((found) => found !== undefined);
  const mended = fixes.some(({ once }) => once.fixed.some((finding) => finding.rule_id === rule.id));
  return { mended, ...(problem !== undefined && { problem }) };
}

function problemOf(rule: Rule, once: ResourceFix, twice: ResourceFix): string | undefined {
  const left = once.unfixed.find(({ finding, reason }) => finding.rule_id === rule.id && reason !== NOT_SAFE);
  if (left) return `the finding at ${left.finding.path} remains: ${left.reason}`;
  return twice.object === once.object ? undefined : 'applying it again changes the object again';
}
