import type { Clock } from '../clock.js';
import type { InputError } from '../errors.js';
import type { Note } from '../note.js';
import type { Resource } from '../resource/index.js';
import { type Catalogue, type Rule, SEVERITIES } from '../rule/index.js';
import { scoreOf } from '../score/index.js';
import type { Place } from '../workload/index.js';
import { additionsOf, type NamedComparer } from './comparer.js';
import { differences } from './difference.js';
import type { EvaluationRequest } from './engine.js';
import { exceptionMembers } from './exceptions/exception-counts.js';
import { exceptionKeys } from './exceptions/exception-keys.js';
import type { ExceptionSummary, Summary, Truncated } from './findings/evaluation.js';
import type { Finding } from './findings/finding.js';
import { findingKey } from './findings/finding-key.js';
import type { UndecidedCheck, UndecidedSummary } from './findings/undecided-check.js';
import { type ToldUndecided, toldOf, UndecidedLog } from './findings/undecided-log.js';
import { items } from './items/batches.js';
import { type Projections, project, projectionPlan } from './items/projections.js';
import { readItem } from './items/read-item.js';
import { SkippedFiles } from './items/skipped-notes.js';
import { unreadFiles } from './items/unread-files.js';
import { wholeness } from './items/wholeness.js';
import { newCounts, uncheckedKinds } from './run/counts.js';
import { evaluateItems } from './run/evaluate-items.js';
import { plannedRunner, planOf } from './run/run-plan.js';
import { selectForRun } from './select-for-run.js';

/** The current and the proposed configuration, evaluated with the same rules. */
export interface ComparisonRequest
  extends Omit<EvaluationRequest, 'inputs' | 'inputErrors' | 'inputNotes' | 'threads' | 'onProgress' | 'includePassed'> {
  current: ComparedInput;
  proposed: ComparedInput;
  /** Whether exceptions in the manifests of the proposed side count only if the same object of the current side has them, where all count. */
  exceptionsOfCurrent?: boolean;
  /** Where it runs, as far as the request or the configuration says. */
  place?: Place;
}

/** One side of a comparison. */
export type ComparedInput = Pick<EvaluationRequest, 'inputs' | 'inputErrors' | 'inputNotes'>;

export interface ResourceChange {
  resource: Finding['resource'];
  change: 'added' | 'removed' | 'modified';
  /** JSON Pointers into the proposed object (into the current one where it was removed there); empty for added and removed resources. */
  paths: string[];
}

/** What a change does to the findings. Members in the order of the JSON output; what plugins add is between `changes` and `errors`, see `additionOf`. */
export interface Comparison {
  verdict: 'improved' | 'regressed' | 'unchanged' | 'incomplete';
  score: { current: number | null; proposed: number | null; delta: number | null };
  /** Findings of the proposed configuration that the current one does not have, in report order. */
  introduced: Finding[];
  /** Findings of the current configuration that the proposed one does not have. */
  resolved: Finding[];
  /** Number of findings that both have. */
  unchanged: number;
  /** How many of the introduced findings are in files that could not be read on the current side: they may not be new, and do not count. */
  not_comparable: number;
  changes: ResourceChange[];
  /** Errors met while reading either side, and rules that could not be evaluated. */
  errors: InputError[];
  /** What was left out of either side without an error; what is true of both is listed once. */
  notes: Note[];
  /** Resources of kinds that no selected rule covers, see `Summary.unchecked`. */
  unchecked: { current: Summary['unchecked']; proposed: Summary['unchecked'] };
  /** Checks of the proposed configuration that could not be decided; only if there are any. */
  undecided?: UndecidedCheck[];
  /** How many checks of either side could not be decided, and why; only if there are any. */
  undecided_counts?: { current?: UndecidedSummary; proposed?: UndecidedSummary };
  /** What exceptions cover on either side, if they cover anything. */
  exceptions?: { current: ExceptionSummary; proposed: ExceptionSummary };
  /** Only if a list is not complete. */
  truncated?: Truncated;
}

/**
 * Compares two configurations. Findings are the same when rule, object and place are (see `findingKey`), wherever in the files
 * they are. A finding of the current configuration that the proposed one cannot decide is unchanged, not resolved. The verdict is `incomplete` if something of the proposed configuration could not be read or evaluated; else it looks at the most severe level at which the numbers of introduced and resolved findings differ. Errors in the current configuration alone do not
 * change it, so that the change that repairs it passes.
 * @param comparers what plugins add; they change nothing else
 */
export async function compareConfigurations(
  catalogue: Catalogue,
  request: ComparisonRequest,
  clock: Clock,
  comparers: readonly NamedComparer[] = [],
): Promise<Comparison> {
  const { rules, notes } = selectForRun(catalogue, request.filter);
  const { accepted: _, ...withAll } = request;
  const current = await evaluateSide(catalogue, request.current, rules, request.exceptionsOfCurrent ? withAll : request, clock);
  const accepted = request.exceptionsOfCurrent && { anywhere: new Set(current.resources.flatMap(exceptionKeys)) };
  const proposed = await evaluateSide(catalogue, request.proposed, rules, { ...request, ...(accepted && { accepted }) }, clock);
  const introduced = withoutPartner(proposed.findings, current.findings);
  const gone = withoutPartner(current.findings, proposed.findings);
  const resolved = gone.filter((finding) => !proposed.open.has(checkKey(finding)));
  const unread = unreadFiles(request.current.inputs, current.errors, request.proposed.inputs);
  // What the current side leaves open is for the change to close, not to answer for.
  const proposedErrors = [...proposed.errors, ...proposed.told.errors];
  const comparable = introduced.filter(({ location }) => !unread.mayHold(location));
  return {
    verdict: proposedErrors.length > 0 ? 'incomplete' : verdictOf(comparable, resolved),
    score: { current: current.score, proposed: proposed.score, delta: delta(current.score, proposed.score) },
    introduced,
    resolved,
    unchanged: proposed.findings.length - introduced.length + gone.length - resolved.length,
    not_comparable: introduced.length - comparable.length,
    changes: changesBetween(current.resources, proposed.resources),
    ...(await additionsOf(comparers, { current: current.resources, proposed: proposed.resources, place: request.place ?? {} })),
    errors: [...current.errors, ...proposedErrors],
    notes: distinct([...current.notes, ...proposed.notes, ...notes]),
    unchecked: { current: current.unchecked, proposed: proposed.unchecked },
    ...(proposed.told.checks && { undecided: proposed.told.checks }),
    ...undecidedCounts(current.told.summary, proposed.told.summary),
    ...([current, proposed].some(({ exceptions }) => Object.keys(exceptions).length > 0) && {
      exceptions: { current: current.exceptions, proposed: proposed.exceptions },
    }),
  };
}

/** The member of a comparison that a plugin adds under this name; absent where the comparison runs without the plugin. */
export function additionOf(comparison: Comparison, member: string): object | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(comparison, member)?.value;
  return typeof value === 'object' && value !== null ? value : undefined;
}

function distinct(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()];
}

interface Side {
  findings: { key: string; finding: Finding }[];
  resources: Resource[];
  errors: InputError[];
  notes: Note[];
  score: number | null;
  unchecked: Summary['unchecked'];
  exceptions: ExceptionSummary;
  /** The checks that are undecided, by their keys. */
  open: ReadonlySet<string>;
  told: ToldUndecided;
}

async function evaluateSide(
  catalogue: Catalogue,
  side: ComparedInput,
  rules: Rule[],
  request: ComparisonRequest,
  clock: Clock,
): Promise<Side> {
  const all = [];
  for await (const item of items(side.inputs, { last: true })) all.push(item);
  const read = all.map(readItem);
  const resources = read.flatMap((extraction) => extraction.resources);
  const projections: Projections = {};
  const plan = projectionPlan(rules);
  for (const resource of resources) project(plan, resource, projections);
  const whole = wholeness(
    { ...side, ...request },
    read.flatMap(({ errors }) => errors),
  );
  const runPlan = planOf(catalogue, rules, request, clock, { projections, complete: whole.complete, collectKeys: false });
  const { runner } = plannedRunner(runPlan, catalogue);
  const keyed: Side['findings'] = [];
  const counts = newCounts(runner.tally);
  const keying = {
    tally: runner.tally,
    run: (resources: readonly Resource[]) => {
      const evaluated = runner.run(resources);
      for (const { resource, findings } of evaluated)
        for (const finding of findings) if (finding.status === 'fail') keyed.push({ key: findingKey(finding, resource), finding });
      return evaluated;
    },
  };
  const evaluated = evaluateItems(all, keying, counts);
  const files = new SkippedFiles();
  files.add(evaluated.skipped);
  counts.tally.found += side.inputErrors?.length ?? 0;
  const errors = [
    ...(side.inputErrors ?? []),
    ...evaluated.errors,
    ...evaluated.findings.filter(({ status }) => status === 'error').map(ruleError),
  ];
  const undecided = new UndecidedLog();
  undecided.add(evaluated.undecided);
  return {
    findings: keyed,
    resources,
    errors,
    notes: [...(side.inputNotes ?? []), ...whole.notes, ...files.notes()],
    score: scoreOf(counts.tally, rules).overall,
    unchecked: uncheckedKinds(counts.tally),
    exceptions: exceptionMembers(counts.exceptions),
    open: new Set(evaluated.undecided.map(checkKey)),
    told: toldOf(undecided, request.undecided),
  };
}

/** The same for what a rule says about an object, wherever in it. Versions of a group are the same object. */
function checkKey({ rule_id, resource: { api_version, kind, namespace, name } }: Pick<Finding, 'rule_id' | 'resource'>): string {
  const group = api_version.includes('/') ? api_version.slice(0, api_version.indexOf('/')) : '';
  return JSON.stringify([rule_id, group, kind, namespace, name]);
}

function undecidedCounts(
  current: UndecidedSummary | undefined,
  proposed: UndecidedSummary | undefined,
): Pick<Comparison, 'undecided_counts'> {
  if (!current && !proposed) return {};
  return { undecided_counts: { ...(current && { current }), ...(proposed && { proposed }) } };
}

/** A rule that could not be evaluated, as an error of the comparison. */
function ruleError({ rule_id, resource, message, location }: Finding): InputError {
  const name = resource.namespace === null ? resource.name : `${resource.namespace}/${resource.name}`;
  return { code: 'rule-failed', message: `${rule_id} on ${resource.kind} ${name}: ${message}`, location };
}

/** Those of the first list that have no partner in the second; equal keys are paired off one by one. */
function withoutPartner(mine: Side['findings'], theirs: Side['findings']): Finding[] {
  const left = new Map<string, number>();
  for (const { key } of theirs) left.set(key, (left.get(key) ?? 0) + 1);
  return mine
    .filter(({ key }) => {
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count <= 0;
    })
    .map(({ finding }) => finding);
}

function verdictOf(introduced: readonly Finding[], resolved: readonly Finding[]): Comparison['verdict'] {
  for (const severity of SEVERITIES) {
    const more = introduced.filter((finding) => finding.severity === severity).length;
    const less = resolved.filter((finding) => finding.severity === severity).length;
    if (more !== less) return more > less ? 'regressed' : 'improved';
  }
  return 'unchanged';
}

function delta(current: number | null, proposed: number | null): number | null {
  return current === null || proposed === null ? null : Math.round((proposed - current) * 10) / 10;
}

function changesBetween(current: readonly Resource[], proposed: readonly Resource[]): ResourceChange[] {
  const before = new Map(current.map((resource) => [identity(resource), resource]));
  const after = new Map(proposed.map((resource) => [identity(resource), resource]));
  const changes: ResourceChange[] = [];
  for (const [key, resource] of after) {
    const old = before.get(key);
    if (!old) changes.push({ resource: named(resource), change: 'added', paths: [] });
    else {
      const paths = differences(old.object, resource.object);
      if (paths.length > 0) changes.push({ resource: named(resource), change: 'modified', paths });
    }
  }
  for (const [key, resource] of before) if (!after.has(key)) changes.push({ resource: named(resource), change: 'removed', paths: [] });
  return changes;
}

function identity(resource: Resource): string {
  const slash = resource.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : resource.apiVersion.slice(0, slash);
  return JSON.stringify([group, resource.kind, resource.namespace ?? '', resource.name]);
}

function named(resource: Resource): Finding['resource'] {
  return { api_version: resource.apiVersion, kind: resource.kind, namespace: resource.namespace ?? null, name: resource.name };
}
