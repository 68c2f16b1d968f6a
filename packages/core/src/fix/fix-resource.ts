import type { EvaluateWithEdits, Finding, FindingsWithEdits } from '../evaluate/index.js';
import type { Resource } from '../resource/index.js';
import type { JsonObject } from '../resource/text/json.js';
import { SEVERITIES, type Severity } from '../rule/index.js';
import { applyEdit } from './apply-edit.js';
import { type Change, changesBetween, isWithin, type Path, Refusal } from './change.js';

/** What fixing needs to know of a run. */
export interface Fixer {
  evaluate: EvaluateWithEdits;
  /** The place of a rule in the order of the catalogue. */
  rank(ruleId: string): number;
  /** Whether to make edits, too, that can stop a workload (`test_after`). */
  unsafe: boolean;
  /** The parts of a resource that rules read when they evaluate other resources, with the severities of these rules. */
  sharedParts(resource: Resource): readonly { path: Path; severity: Severity }[];
}

/** A part of an object that is not changed, and why. The empty path is the whole object. */
export interface Frozen {
  path: Path;
  reason: string;
  /** For findings that are more severe, the part is changed after all. */
  severity?: Severity;
}

/** A finding that stays although its rule declares an edit. */
export interface Unfixed {
  finding: Finding;
  /** A clause without a full stop. */
  reason: string;
}

export interface ResourceFix {
  /** With all the edits; the object itself where there are none. */
  object: JsonObject;
  /** Findings that are gone, be it by their own edit or by that of another. */
  fixed: readonly Finding[];
  unfixed: readonly Unfixed[];
}

/**
 * Fixes what can be fixed in one object, as a value. An edit is kept only if the rule then passes and no rule fails in a place where none
 * failed before, so the findings only become fewer. What must wait for the edit of another rule is tried again, until nothing more is
 * gained. Of edits that contradict each other that of the first rule in the order of the catalogue wins.
 */
export function fixResource(resource: Resource, fixer: Fixer, frozen: readonly Frozen[]): ResourceFix {
  const run = newRun(resource, fixer, frozen);
  const before = run.state;
  const rules = [...new Set(openFindings(before).map((finding) => finding.rule_id))].sort((a, b) => fixer.rank(a) - fixer.rank(b));
  for (let progress = rules.length > 0; progress; ) {
    progress = false;
    for (const rule of rules) if (fixRule(run, rule)) progress = true;
  }
  const { object } = run.state;
  return {
    object,
    fixed: object === before.object ? [] : goneFindings(before, run.state),
    unfixed: openFindings(run.state).map((finding) => ({
      finding,
      reason: run.reasons.get(findingKey(finding)) ?? 'its fix was not tried',
    })),
  };
}

interface State extends FindingsWithEdits {
  object: JsonObject;
  /** How many failures there are in each place. */
  places: ReadonlyMap<string, number>;
}

interface Run {
  resource: Resource;
  fixer: Fixer;
  frozen: readonly Frozen[];
  state: State;
  /** Why the last try of each finding was given up, by its place. */
  reasons: Map<string, string>;
  /** How many more times the resource may be evaluated: many edits of a huge object that all fail would take hours. */
  budget: number;
}

const MAX_TRIES = 200;
export const NOT_SAFE = 'the fix might not be safe here: review it and apply it by hand';
const NEEDS_TEST = 'the fix can stop the workload: --fix-unsafe applies it and lists what to test afterwards';

function stateOf(object: JsonObject, evaluation: FindingsWithEdits): State {
  return { object, ...evaluation, places: countPlaces(evaluation.findings) };
}

function newRun(resource: Resource, fixer: Fixer, frozen: readonly Frozen[]): Run {
  const shared = fixer
    .sharedParts(resource)
    .map((part) => ({ ...part, reason: 'rules for other resources read the fields that would change' }));
  return {
    resource,
    fixer,
    frozen: [...frozen, ...shared],
    state: stateOf(resource.object, fixer.evaluate(resource)),
    reasons: new Map(),
    budget: MAX_TRIES,
  };
}

/** All findings of a rule at once, and where that fails one by one. Tells whether any is gone. */
function fixRule(run: Run, rule: string): boolean {
  const open = openFindings(run.state).filter((finding) => finding.rule_id === rule);
  const ready = open.filter((finding) => refused(run, [finding], () => readyEdit(run, finding)) !== undefined);
  if (tryEdits(run, ready)) return true;
  return ready.length > 1 && ready.map((finding) => tryEdits(run, [finding])).includes(true);
}

/** Makes the edits of some findings, and keeps them if that is an improvement. */
function tryEdits(run: Run, findings: readonly Finding[]): boolean {
  if (findings.length === 0) return false;
  const next = refused(run, findings, () => edited(run, findings));
  if (next) run.state = next;
  return next !== undefined;
}

/** The object with the edits, evaluated again. @throws {Refusal} where that is not an improvement */
function edited(run: Run, findings: readonly Finding[]): State {
  const { state, resource, fixer } = run;
  if (run.budget-- <= 0) throw new Refusal('too many fixes for this object were tried without success');
  let { object } = state;
  for (const finding of findings) {
    const { edit, base } = readyEdit(run, finding);
    object = applyEdit(object, base, edit);
  }
  const least = Math.max(...findings.map(({ severity }) => rankOf(severity)));
  refuseFrozen(run, changesBetween(state.object, object), least);
  const next = stateOf(object, fixer.evaluate({ ...resource, object }));
  refuseNoGain(state, next, findings, least);
  return next;
}

/** 0 for the most severe. */
function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

function readyEdit({ state, fixer }: Run, finding: Finding) {
  const proposed = state.edits.get(finding);
  if (!proposed) throw new Refusal('the rule declares no fix for it');
  const { edit, base, safe } = proposed;
  if (base === undefined) throw new Refusal('the rule checks a computed value, so the place to change is unknown');
  if (!safe) throw new Refusal(NOT_SAFE);
  if (edit.test_after !== undefined && !fixer.unsafe) throw new Refusal(NEEDS_TEST);
  return { edit, base };
}

/** @param least the rank of the least severe finding that the changes fix: what another resource may fail for it must be less severe */
function refuseFrozen({ frozen }: Run, changes: readonly Change[], least: number): void {
  if (changes.length === 0) throw new Refusal('the fix changes nothing here');
  const stop = frozen
    .filter(({ severity }) => severity === undefined || rankOf(severity) <= least)
    .find(({ path }) => changes.some((change) => isWithin(change.path, path) || isWithin(path, change.path)));
  if (stop) throw new Refusal(stop.reason);
}

/** A rule that applies only now, such as one for Pods that do not use the network of the host, may find something less severe. */
function refuseNoGain(before: State, after: State, mended: readonly Finding[], least: number): void {
  const isMore = (place: string, count: number) => count > (before.places.get(place) ?? 0);
  const worse = after.findings.find(
    (one) => isFailure(one) && isMore(findingKey(one), after.places.get(findingKey(one)) ?? 0) && rankOf(one.severity) <= least,
  );
  if (worse) throw new Refusal(`${worse.rule_id} would then fail: ${worse.message}`);
  for (const [place, count] of countPlaces(mended))
    if (isMore(place, (after.places.get(place) ?? 0) + count)) throw new Refusal('the finding would remain');
}

/** The work's result; undefined where it is refused, and then the reason is noted for the findings. */
function refused<T>(run: Run, findings: readonly Finding[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const finding of findings) run.reasons.set(findingKey(finding), error.message);
    return undefined;
  }
}

/** Findings that fail, and for which their rule declares an edit. */
function openFindings({ findings, edits }: State): Finding[] {
  return findings.filter((finding) => edits.has(finding));
}

function goneFindings(before: State, after: State): Finding[] {
  const left = new Map(after.places);
  return before.findings.filter((finding) => {
    if (finding.status !== 'fail') return false;
    const count = left.get(findingKey(finding)) ?? 0;
    left.set(findingKey(finding), count - 1);
    return count <= 0;
  });
}

function countPlaces(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) {
    if (!isFailure(finding)) continue;
    const place = findingKey(finding);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

function isFailure({ status }: Finding): boolean {
  return status === 'fail' || status === 'error';
}

function findingKey({ rule_id, path }: Finding): string {
  return `${rule_id} ${path}`;
}
