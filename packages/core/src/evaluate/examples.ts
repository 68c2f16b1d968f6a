import { plural } from '../plural.js';
import { type JsonObject, type Resource, readObject } from '../resource/index.js';
import { type Catalogue, type ExpectedFinding, type Rule, type RuleExample, resolveSettings } from '../rule/index.js';
import { NO_EXCEPTIONS } from './exceptions/exceptions.js';
import type { Finding } from './findings/finding.js';
import type { UndecidedCheck } from './findings/undecided-check.js';
import { type Projections, project, projectionPlan } from './items/projections.js';
import { ResourceGroups } from './items/resource-index.js';
import { createRuleRunner } from './run/rule-runner.js';

/** What came of one example of one rule. `problem` says what differs from what the example expects. */
export interface ExampleResult {
  rule: string;
  /** Counts from 0. */
  example: number;
  expected: 'fail' | 'pass' | 'skip' | 'undecided';
  problem?: string;
}

/** Runs the examples of every rule given, each rule alone on its own examples. */
export function runExamples(catalogue: Catalogue, rules: readonly Rule[]): ExampleResult[] {
  return rules.flatMap((rule) =>
    (catalogue.detail(rule.id)?.examples ?? []).map((example, index) => {
      const expected = example.fail ? 'fail' : example.pass ? 'pass' : example.undecided ? 'undecided' : 'skip';
      const problem = problemWith(catalogue, rule, example, expected);
      return { rule: rule.id, example: index, expected, ...(problem !== undefined && { problem }) };
    }),
  );
}

function problemWith(catalogue: Catalogue, rule: Rule, example: RuleExample, expected: ExampleResult['expected']): string | undefined {
  const { resources, problem } = readExample(example);
  if (problem !== undefined) return problem;
  const { findings, undecided, applied } = evaluateExample(catalogue, rule, example, resources);
  const broken = findings.find((finding) => finding.status === 'error');
  if (broken) return broken.message;
  const failed = findings.filter((finding) => finding.status === 'fail');
  if (expected === 'undecided')
    return undecided ? undefined : `it is not: the rule ${applied === 0 ? 'does not apply' : failed.length > 0 ? 'fails' : 'passes'}`;
  if (undecided && expected !== 'fail') return `it is undecided: ${undecided.message}`;
  if (expected === 'skip') return applied === 0 ? undefined : `the rule applies to it and ${failed.length > 0 ? 'fails' : 'passes'}`;
  if (expected === 'pass')
    return failed[0] ? `it fails: ${failed[0].message} (${failed[0].path})` : applied === 0 ? 'the rule does not apply to it' : undefined;
  if (failed.length === 0) return applied === 0 ? 'the rule does not apply to it' : 'it passes';
  return example.finding === undefined ? undefined : differenceFrom([example.finding].flat(), failed);
}

/** The resources of an example, or what is wrong with it. */
export function readExample(example: RuleExample): { resources: Resource[]; problem?: string } {
  const objects: JsonObject[] = [example.fail ?? example.pass ?? example.skip ?? example.undecided ?? []].flat();
  const resources: Resource[] = [];
  for (const [document, object] of objects.entries()) {
    const read = readObject(object, { file: example.file ?? 'example.yaml', document });
    // An example may show a field of the wrong type: then the field is dropped, as it is for users.
    const error = read.errors.find(({ code }) => code !== 'malformed');
    if (error) return { resources, problem: error.message };
    resources.push(...read.resources.map((resource) => (example.live ? { ...resource, live: true } : resource)));
  }
  return { resources };
}

function evaluateExample(
  catalogue: Catalogue,
  rule: Rule,
  example: RuleExample,
  resources: readonly Resource[],
): { findings: Finding[]; undecided: UndecidedCheck | undefined; applied: number } {
  const projections: Projections = {};
  const plan = projectionPlan([rule]);
  for (const resource of resources) project(plan, resource, projections);
  const pack = catalogue.packOf(rule.id);
  const runner = createRuleRunner({
    catalogue,
    rules: [rule],
    evaluator: catalogue.evaluator,
    settings: resolveSettings(catalogue, pack && example.config ? { [pack.name]: example.config } : {}),
    exceptions: NO_EXCEPTIONS,
    includePassed: false,
    namespace: 'default',
    resources: new ResourceGroups(projections, { namespace: 'default', complete: example.complete ?? false }),
  });
  const evaluated = runner.run(resources);
  const findings = evaluated.flatMap(({ findings }) => findings);
  const [undecided] = evaluated.flatMap(({ undecided }) => undecided);
  return { findings, undecided, applied: runner.tally.rules[rule.id]?.applicable ?? 0 };
}

function differenceFrom(expected: readonly ExpectedFinding[], failed: readonly Finding[]): string | undefined {
  if (expected.length > 1 && expected.length !== failed.length)
    return `it reports ${plural(failed.length, 'finding')} instead of ${expected.length}: ${failed.map((finding) => finding.path).join(', ')}`;
  const missing = expected.find((wanted) => !failed.some((finding) => matches(wanted, finding)));
  if (!missing) return undefined;
  const got = failed.map((finding) => `${finding.path}: ${finding.message}`).join('\n    ');
  return `no finding matches ${JSON.stringify(missing)}; it reports\n    ${got}`;
}

function matches(wanted: ExpectedFinding, finding: Finding): boolean {
  return (
    (wanted.path === undefined || wanted.path === finding.path) &&
    (wanted.message === undefined || wanted.message === finding.message) &&
    (wanted.resource === undefined || wanted.resource === finding.resource.name)
  );
}
