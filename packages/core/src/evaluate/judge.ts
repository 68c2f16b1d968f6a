import { CelError, type Evaluator, type ResourceSet } from '../cel/index.js';
import type { InputError } from '../errors.js';
import { type ContainerRef, containersOf, forCel, type Pod, podOf, type Resource } from '../resource/index.js';
import type { JsonObject } from '../resource/resource.js';
import type { Catalogue, CompiledLogic, Rule } from '../rule/index.js';
import { countOf, newTally, type Outcome, recordResource, strongest, type Tally } from '../score/index.js';
import { type ExceptionPolicy, type OwnExceptions, ownExceptions, suppressionOf } from './exceptions.js';
import type { Finding } from './finding.js';
import { findingKey } from './finding-key.js';
import { itemPointers } from './item-pointer.js';
import { type Entry, type RuleIndex, ruleIndex } from './rule-index.js';

export interface JudgeOptions {
  catalogue: Catalogue;
  rules: readonly Rule[];
  evaluator: Evaluator;
  /** Settings per pack, defaults filled in. */
  settings: { [pack: string]: JsonObject };
  exceptions: ExceptionPolicy;
  /** Report passing rules, too. */
  includePassed: boolean;
  /** The namespace of objects that name none. */
  namespace: string;
  resources: ResourceSet;
}

/** Judges resources one by one and keeps count. */
export interface Judge {
  /** All findings on a resource, in the order of line and rule. Never throws on any resource. */
  judge(resource: Resource): { findings: Finding[]; errors: InputError[] };
  readonly tally: Tally;
}

export function createJudge(options: JudgeOptions): Judge {
  const index = ruleIndex(options.catalogue, options.rules, options.evaluator, options.settings);
  const tally = newTally();
  return { tally, judge: (resource) => judgeResource(resource, index, options, tally) };
}

function judgeResource(resource: Resource, index: RuleIndex, options: JudgeOptions, tally: Tally): { findings: Finding[]; errors: InputError[] } {
  recordResource(tally);
  const entries = index.entriesFor(resource);
  const own = ownExceptions(resource);
  const findings: Finding[] = [];
  if (entries.length > 0) {
    const subject = subjectOf(resource, options);
    let previous: { rule: Rule; outcome: Outcome } | undefined;
    for (const entry of entries) {
      const outcome = applyEntry(entry, subject, own, options, findings);
      if (outcome === undefined) continue;
      // Variants of one rule follow one another: the resource counts once, with the strongest outcome.
      if (previous?.rule === entry.rule) previous.outcome = strongest(previous.outcome, outcome);
      else {
        if (previous) count(tally, previous.rule, previous.outcome);
        previous = { rule: entry.rule, outcome };
      }
    }
    if (previous) count(tally, previous.rule, previous.outcome);
  }
  return { findings: findings.sort(inReportOrder), errors: own.errors };
}

/** Within one file: by line, then rule, then path. */
export function inReportOrder(a: Finding, b: Finding): number {
  const lines = (a.location?.line ?? 0) - (b.location?.line ?? 0);
  if (lines !== 0) return lines;
  if (a.rule_id !== b.rule_id) return a.rule_id < b.rule_id ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** A resource with all that rules see of it, extracted once. */
interface Subject {
  resource: Resource;
  pod: Pod | undefined;
  containers: readonly ContainerRef[];
  /** The variables of CEL. `config`, `container` and `item` are set anew by each rule. */
  scope: { [variable: string]: unknown };
}

function subjectOf(resource: Resource, options: JudgeOptions): Subject {
  const pod = podOf(resource);
  return {
    resource,
    pod,
    containers: pod ? containersOf(pod) : [],
    scope: {
      object: forCel(resource.object),
      podSpec: pod ? forCel(pod.spec) : {},
      podMetadata: pod ? forCel(pod.metadata) : {},
      objectNamespace: resource.namespace ?? options.namespace,
      live: resource.live ?? false,
      resources: options.resources,
    },
  };
}

/** @returns undefined where the rule does not apply to the resource */
function applyEntry(entry: Entry, subject: Subject, own: OwnExceptions, options: JudgeOptions, findings: Finding[]): Outcome | undefined {
  const { logic } = entry;
  const { scope } = subject;
  scope['config'] = entry.config;
  scope['constants'] = entry.constants;
  const base = subject.pod?.pointer ?? '';
  if (!logic.containers) return applyItems(entry, subject, base, undefined, own, options, findings);
  let outcome: Outcome | undefined;
  for (const container of subject.containers) {
    if (!logic.containers.has(container.kind)) continue;
    scope['container'] = forCel(container.container);
    scope['containerKind'] = container.kind;
    outcome = merge(outcome, applyItems(entry, subject, container.pointer, container, own, options, findings));
  }
  return outcome;
}

function applyItems(
  entry: Entry,
  subject: Subject,
  base: string,
  container: ContainerRef | undefined,
  own: OwnExceptions,
  options: JudgeOptions,
  findings: Finding[],
): Outcome | undefined {
  const report = (finding: Finding) => findings.push(finding);
  try {
    const program = entry.logic.items();
    if (!program) return applyOnce(entry, subject, base, own, options, report);
    const items = program.evaluate(subject.scope);
    if (!Array.isArray(items)) throw new CelError('`each` must give a list.');
    let outcome: Outcome | undefined;
    let pointers: (string | undefined)[] | undefined;
    for (const [position, item] of items.entries()) {
      subject.scope['item'] = item;
      const pointerOf = () => {
        pointers ??= pointersOf(subject, base, container, items);
        return pointers[position] ?? base;
      };
      outcome = merge(outcome, applyOnce(entry, subject, pointerOf, own, options, report));
    }
    return outcome;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    report(newFinding(entry.rule, subject.resource, 'error', base, `The rule could not be evaluated: ${error.message}`));
    return undefined;
  }
}

/** Where the items of `each` stand: in the container, else in the Pod, else anywhere in the object. */
function pointersOf(subject: Subject, base: string, container: ContainerRef | undefined, items: readonly unknown[]): (string | undefined)[] {
  const { scope, pod } = subject;
  if (container) return itemPointers(scope['container'], base, items);
  const inPod = pod ? itemPointers(scope['podSpec'], `${pod.pointer}/spec`, items) : [];
  if (pod && inPod.every((pointer) => pointer !== undefined)) return inPod;
  const inObject = itemPointers(scope['object'], '', items);
  return items.map((_, index) => inPod[index] ?? inObject[index]);
}

function applyOnce(
  entry: Entry,
  subject: Subject,
  base: string | (() => string),
  own: OwnExceptions,
  options: JudgeOptions,
  report: (finding: Finding) => void,
): Outcome | undefined {
  const { logic, rule } = entry;
  const { scope, resource } = subject;
  const when = logic.when();
  if (when && when.evaluate(scope) !== true) return undefined;
  const verdict = logic.expression().evaluate(scope);
  if (verdict === true && !options.includePassed) return 'pass';
  if (typeof verdict !== 'boolean') throw new CelError('`expression` must give true or false.');
  const path = (typeof base === 'string' ? base : base()) + (logic.source.path ?? '');
  if (verdict) {
    report(newFinding(rule, resource, 'pass', path, rule.title));
    return 'pass';
  }
  const finding = newFinding(rule, resource, 'fail', path, messageOf(logic, rule, scope));
  const { suppression, expired } = suppressionOf(finding, () => findingKey(finding, resource), resource, own, options.exceptions);
  if (expired) finding.message += ` (The exception “${expired.reason}” expired on ${expired.expires}.)`;
  if (suppression) {
    finding.status = 'suppressed';
    finding.suppression = suppression;
  }
  report(finding);
  return suppression ? 'waived' : 'fail';
}

function messageOf(logic: CompiledLogic, rule: Rule, scope: { [variable: string]: unknown }): string {
  const text = logic.message()?.evaluate(scope) ?? rule.title;
  if (typeof text !== 'string') throw new CelError('`message` must give a string.');
  return text;
}

function newFinding(rule: Rule, resource: Resource, status: Finding['status'], path: string, message: string): Finding {
  const { source } = resource;
  return {
    rule_id: rule.id,
    category: rule.category,
    severity: rule.severity,
    title: rule.title,
    status,
    resource: { api_version: resource.apiVersion, kind: resource.kind, namespace: resource.namespace ?? null, name: resource.name },
    location: source.line === 0 ? null : located(source.file, resource, path),
    path,
    message,
    fix: rule.fix,
    frameworks: rule.frameworks,
  };
}

function located(file: string, resource: Resource, path: string): Finding['location'] {
  const { line, column } = resource.position(path);
  return { file, line, column };
}

function merge(a: Outcome | undefined, b: Outcome | undefined): Outcome | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : strongest(a, b);
}

function count(tally: Tally, rule: Rule, outcome: Outcome): void {
  const counts = countOf(tally, rule.id);
  counts.applicable += 1;
  if (outcome === 'fail') counts.failed += 1;
  else if (outcome === 'waived') counts.waived += 1;
}
