import { CelError, UndecidedError } from '../../cel/index.js';
import type { InputError } from '../../errors.js';
import type { ContainerRef, Resource } from '../../resource/index.js';
import { addOutcome, countOf, newTally, type Outcome, recordResource, recordUnchecked, strongest, type Tally } from '../../score/index.js';
import { suppressionOf } from '../exceptions/exceptions.js';
import { type Finding, inReportOrder } from '../findings/finding.js';
import { findingKey } from '../findings/finding-key.js';
import { linkCauses } from '../findings/related-findings.js';
import type { UndecidedCheck } from '../findings/undecided-check.js';
import { itemPointers } from './item-pointer.js';
import { causesHere, knownOr, lineOf, messageOf, unknownOf } from './logic-results.js';
import { newFinding } from './new-finding.js';
import { newUndecidedCheck } from './new-undecided-check.js';
import { noteEdit } from './proposed-edit.js';
import { type Entry, type EntryGroup, type KindRules, ruleIndex, type Step, type Undecided, type Unit } from './rule-index.js';
import type { RunnerOptions } from './runner-options.js';
import { type Subject, type SubjectContainer, subjectOf } from './subject.js';

/** The result for one resource. */
export interface EvaluatedResource {
  resource: Resource;
  findings: Finding[];
  /** One for each rule that does not fail, and might if more were known. */
  undecided: UndecidedCheck[];
  errors: InputError[];
}

/** Evaluates resources and keeps count. */
export interface RuleRunner {
  /**
   * For each resource all findings, in the order of line and rule. Never throws on any resource. A rule is applied to all
   * resources of a kind before the next one is: evaluating two dozen resources at once takes two thirds of the time, because the
   * code of a rule stays near the processor.
   */
  run(resources: readonly Resource[]): EvaluatedResource[];
  readonly tally: Tally;
}

export function createRuleRunner(options: RunnerOptions): RuleRunner {
  const index = ruleIndex(options.catalogue, options.rules, options.evaluator, options.settings);
  const tally = newTally();
  return {
    tally,
    run: (resources) => {
      const subjects = resources.map((resource) => subjectOf(resource, index, options));
      for (const [rules, alike] of Map.groupBy(subjects, (subject) => subject.rules)) applyRules(rules, alike, tally);
      for (const { related } of subjects) if (related.length > 1) linkCauses(related);
      return subjects.map(({ resource, findings, undecided, own }) => ({
        resource,
        findings: findings.sort(inReportOrder),
        undecided: undecided.sort(inReportOrder),
        errors: own.errors,
      }));
    },
  };
}

function applyRules({ units, name, covered }: KindRules, subjects: readonly Subject[], tally: Tally): void {
  for (let i = 0; i < subjects.length; i++) recordResource(tally);
  if (!covered) recordUnchecked(tally, name, subjects.length);
  // A loop of its own for each unit: one that holds it all would be compiled anew for every batch.
  for (const unit of units) applyUnit(unit, subjects, tally);
}

function applyUnit(unit: Unit, subjects: readonly Subject[], tally: Tally): void {
  for (const subject of subjects) {
    for (const group of unit) applyGroup(group, subject);
    countOutcomes(unit, subject, tally);
  }
}

/** A resource counts once for a rule, with the strongest outcome of the rule's variants, which follow one another. */
function countOutcomes(unit: Unit, subject: Subject, tally: Tally): void {
  let previous: Entry | undefined;
  let strength: Outcome | undefined;
  let unknown: Undecided | undefined;
  for (const { entries, budget } of unit) {
    budget.refill();
    for (const entry of entries) {
      const { outcome, undecided } = entry;
      entry.outcome = undefined;
      entry.undecided = undefined;
      entry.budget.refill();
      if (previous?.rule === entry.rule) {
        strength = merge(strength, outcome);
        unknown ??= undecided;
      } else {
        if (previous) count(tally, previous, strength, unknown, subject);
        previous = entry;
        strength = outcome;
        unknown = undecided;
      }
    }
  }
  if (previous) count(tally, previous, strength, unknown, subject);
}

function applyGroup(group: EntryGroup, subject: Subject): void {
  const { containers } = group;
  const { scope } = subject;
  if (!containers) {
    applyHere(group, subject, subject.pod?.pointer ?? '', undefined);
    return;
  }
  for (const container of subject.containers) {
    if (!containers.has(container.kind)) continue;
    scope.container = container.value;
    scope.containerKind = container.kind;
    applyHere(group, subject, container.pointer, container);
  }
}

/** Applies logics to the resource or to one container of it. What fails to evaluate is one finding, and hides nothing else. */
function applyHere(group: EntryGroup, subject: Subject, base: string, container: SubjectContainer | undefined): void {
  const { scope } = subject;
  let items: readonly unknown[] | undefined;
  let failure: unknown;
  try {
    items = itemsOf(group, subject, container);
    if (items?.length === 0) return;
  } catch (error) {
    failure = error;
  }
  for (const entry of group.entries) {
    scope.config = entry.config;
    scope.constants = entry.constants;
    entry.budget.begin();
    try {
      if (failure !== undefined) throw failure;
      const outcome = items
        ? applyItems(entry, subject, base, container, items)
        : applyDecidably(entry, subject, base, container, undefined);
      entry.outcome = merge(entry.outcome, outcome);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      const unknown = unknownOf(error);
      if (unknown) entry.undecided ??= { unknown, path: base };
      else subject.findings.push(newFinding(entry.rule, subject, 'error', base, `The rule could not be evaluated: ${error.message}`));
    } finally {
      entry.budget.end();
    }
  }
}

/** The items that the logics of a group are applied to one by one; undefined where they have no list. @throws {CelError} */
function itemsOf(group: EntryGroup, subject: Subject, container: SubjectContainer | undefined): readonly unknown[] | undefined {
  const [first] = group.entries;
  if (group.items === undefined) group.items = subject.index.step(first?.logic.items());
  if (group.items === null) return undefined;
  subject.scope.config = first?.config;
  subject.scope.constants = first?.constants;
  group.budget.begin();
  try {
    const items = remembered(group.items, subject, container);
    if (!Array.isArray(items)) throw new CelError('`each` must return a list.');
    return items;
  } finally {
    group.budget.end();
  }
}

/** The result of a program, evaluated once as far as it holds. Nothing changes a result, so rules can share it. */
function remembered({ program, slot }: Step, subject: Subject, container: SubjectContainer | undefined): unknown {
  const memory = program.reach === 'resource' ? subject.memory : program.reach === 'container' ? container?.memory : undefined;
  if (memory === undefined) return program.evaluate(subject.scope);
  // Filled from the front: a list with a gap is slow.
  while (memory.length <= slot) memory.push(undefined);
  const known = memory[slot];
  if (known !== undefined) return known;
  const result = program.evaluate(subject.scope);
  memory[slot] = result;
  return result;
}

/** The item that a rule is applied to, among those of its `each`. */
interface Place {
  items: readonly unknown[];
  position: number;
  /** Where the items stand, once one of them has failed. */
  pointers: (string | undefined)[] | undefined;
}

function applyItems(
  entry: Entry,
  subject: Subject,
  base: string,
  container: SubjectContainer | undefined,
  items: readonly unknown[],
): Outcome | undefined {
  const place: Place = { items, position: 0, pointers: undefined };
  let outcome: Outcome | undefined;
  for (; place.position < items.length; place.position++) outcome = merge(outcome, applyDecidably(entry, subject, base, container, place));
  return outcome;
}

/** An item about which nothing can be said does not keep the rule from the others. */
function applyDecidably(
  entry: Entry,
  subject: Subject,
  base: string,
  container: SubjectContainer | undefined,
  place: Place | undefined,
): Outcome | undefined {
  try {
    if (place) subject.scope.item = place.items[place.position];
    return applyOnce(entry, subject, base, container, place);
  } catch (error) {
    const unknown = unknownOf(error);
    if (!unknown) throw error;
    entry.undecided ??= { unknown, path: (place ? pointerAt(place, subject, base, container) : base) + (entry.logic.source.path ?? '') };
    return undefined;
  }
}

function pointerAt(place: Place, subject: Subject, base: string, container: SubjectContainer | undefined): string {
  place.pointers ??= pointersOf(subject, base, container, place.items);
  return place.pointers[place.position] ?? base;
}

/** Where the items of `each` stand: in the container, else in the Pod, else anywhere in the object. */
function pointersOf(
  subject: Subject,
  base: string,
  container: ContainerRef | undefined,
  items: readonly unknown[],
): (string | undefined)[] {
  const { scope, pod } = subject;
  if (container) return itemPointers(scope.container, base, items);
  const inPod = pod ? itemPointers(scope.podSpec, `${pod.pointer}/spec`, items) : [];
  if (pod && inPod.every((pointer) => pointer !== undefined)) return inPod;
  const inObject = itemPointers(scope.object, '', items);
  return inObject.map((pointer, index) => inPod[index] ?? pointer);
}

function applyOnce(
  entry: Entry,
  subject: Subject,
  base: string,
  container: SubjectContainer | undefined,
  place: Place | undefined,
): Outcome | undefined {
  const { logic, rule } = entry;
  const { scope, resource, options } = subject;
  const verdict = verdictOf(entry, subject, container);
  if (verdict === undefined) return undefined;
  if (verdict === true && !options.includePassed) return 'pass';
  if (typeof verdict !== 'boolean') throw new CelError('`expression` must return true or false.');
  const at = place ? pointerAt(place, subject, base, container) : base;
  const path = at + (logic.source.path ?? '');
  if (verdict) {
    subject.findings.push(newFinding(rule, subject, 'pass', path, rule.title));
    return 'pass';
  }
  const finding = newFinding(rule, subject, 'fail', path, messageOf(logic, rule, scope), lineOf(logic, scope));
  const { suppression, ignored, expired } = suppressionOf(
    finding,
    () => findingKey(finding, resource),
    resource,
    subject.own,
    options.exceptions,
  );
  if (expired) finding.message += ` (The exception “${expired.reason}” expired on ${expired.expires}.)`;
  if (suppression) {
    finding.status = 'suppressed';
    finding.suppression = suppression;
  } else if (ignored) finding.would_be_suppressed = ignored;
  subject.findings.push(finding);
  if (!suppression && subject.index.isRelated(rule)) subject.related.push({ finding, at, causes: causesHere(logic, scope) });
  if (options.edits && !suppression) noteEdit(options.edits, finding, entry, scope, place ? place.pointers?.[place.position] : base);
  return suppression ? 'waived' : 'fail';
}

/** What the expression gives; undefined if the rule does not apply, or could not fail if it did. @throws {CelError} */
function verdictOf(entry: Entry, subject: Subject, container: SubjectContainer | undefined): unknown {
  const { logic } = entry;
  if (entry.when === undefined) entry.when = subject.index.step(logic.when());
  entry.expression ??= logic.expression();
  try {
    if (entry.when !== null && remembered(entry.when, subject, container) !== true) return undefined;
  } catch (error) {
    if (error instanceof UndecidedError && knownOr(undefined, () => entry.expression?.evaluate(subject.scope)) === true) return undefined;
    throw error;
  }
  return entry.expression.evaluate(subject.scope);
}

function merge(a: Outcome | undefined, b: Outcome | undefined): Outcome | undefined {
  if (a === undefined || a === b) return b;
  return b === undefined ? a : strongest(a, b);
}

function count(tally: Tally, entry: Entry, outcome: Outcome | undefined, undecided: Undecided | undefined, subject: Subject): void {
  if (outcome === undefined && undecided === undefined) return;
  entry.counts ??= countOf(tally, entry.rule.id);
  const unknown = undecided !== undefined && outcome !== 'fail';
  addOutcome(entry.counts, outcome ?? 'pass', unknown);
  if (unknown) subject.undecided.push(newUndecidedCheck(entry.rule, subject, undecided));
}
