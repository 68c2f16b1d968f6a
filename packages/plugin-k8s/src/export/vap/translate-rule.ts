import type { JsonObject } from '@bylaw/core/resource';
import { type Rule, type RuleLogic, worksAlone } from '@bylaw/core/rule';
import { isOfGroup, isOneOf, podTerms } from './target/pod-terms.js';
import { type PolicyTarget, policyTargets, typeOfTargets } from './target/target.js';
import { not, TRUE } from './term/build.js';
import { NotExportable } from './term/not-exportable.js';
import { freeNames, operandsOf, type Term } from './term/term.js';
import { createTranslator, type PolicyVariables, type Translator } from './translate.js';

/** A rule as a policy can say it. */
export interface TranslatedRule {
  /** The parts of the rule that the policy says, with the targets that it has. */
  logic: readonly RuleLogic[];
  targets: readonly PolicyTarget[];
  /** What must hold of the object alone for the rule to look at it. */
  condition: Term | undefined;
  /** In the order in which they can be made. */
  variables: PolicyVariables;
  /** One text of violations for each part of the rule; empty where nothing is wrong. */
  violations: readonly Term[];
  /** It looks for secrets in texts of any length, which can cost more than the API server allows. */
  searches: boolean;
  omitted: readonly Omission[];
}

/** A part of a rule that could not be translated. */
export interface Omission {
  targets: readonly string[];
  error: NotExportable;
}

/** The settings and constants of a rule's pack. */
export interface Settings {
  config: JsonObject;
  constants: JsonObject;
}

interface Part {
  logic: RuleLogic;
  targets: readonly PolicyTarget[];
}

/**
 * Translates what of a rule can be translated.
 * @throws {NotExportable} when that is nothing
 */
export function translateRule(rule: Rule, settings: Settings): TranslatedRule {
  const omitted: Omission[] = [];
  const parts = rule.logic.flatMap((logic) => partOf(logic, omitted));
  const all = unique(parts);
  const translator = createTranslator({ pod: podTerms(all), settings });
  const condition = sharedCondition(parts, all, translator);
  const done = parts.flatMap((part) => {
    const logic = condition === undefined ? part.logic : withoutWhen(part.logic);
    const violations = attempt(part.logic.targets, omitted, () => violationsOf({ ...part, logic }, all, rule, translator));
    return violations === undefined ? [] : [{ ...part, violations }];
  });
  if (done.length === 0) throw omitted[0]?.error ?? new NotExportable('target');
  const violations = done.map((part) => part.violations);
  const searches = done.some(({ logic, targets }) => targets.some(({ pod }) => !pod) && searchesTexts(logic));
  return {
    logic: done.map((part) => part.logic),
    targets: unique(done),
    condition,
    variables: reachable(translator.variables, violations),
    violations,
    searches,
    omitted,
  };
}

/** The targets of a logic that a policy can have. One with ` +set` can have one if the rule works without the set, too. */
function partOf(logic: RuleLogic, omitted: Omission[]): Part[] {
  const found = logic.targets.flatMap((written) => {
    if (worksAlone(written, logic.targets)) return [{ written, targets: [] }];
    const targets = attempt([written], omitted, () => policyTargets(written));
    return targets ? [{ written, targets }] : [];
  });
  if (found.every(({ targets }) => targets.length === 0)) return [];
  return [{ logic: { ...logic, targets: found.map(({ written }) => written) }, targets: found.flatMap(({ targets }) => targets) }];
}

function attempt<T>(targets: readonly string[], omitted: Omission[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof NotExportable)) throw error;
    omitted.push({ targets, error });
    return undefined;
  }
}

function violationsOf(part: Part, all: readonly PolicyTarget[], rule: Rule, translator: Translator): Term {
  const { logic, targets } = part;
  const violations = translator.violations(logic, typeOfTargets(targets), gateOf(part, all), rule.title);
  if (violations.is === 'literal' && violations.value === '') throw neverFails(logic);
  return violations;
}

/** Nothing can be wrong: because of the settings, because a cluster is not a folder of manifests, or because the API has no such field. */
function neverFails(logic: RuleLogic): NotExportable {
  const text = `${logic.when} ${logic.expression} ${logic.each}`;
  return new NotExportable(/\blive\b/.test(text) ? 'manifest' : /\bconfig\./.test(text) ? 'settings' : 'never');
}

function searchesTexts({ each, when, expression }: RuleLogic): boolean {
  return [each ?? [], when ?? [], expression].flat().some((source) => SEARCHES.test(source));
}

/** Calls of functions that look at every character of a text. */
const SEARCHES = /\b(?:hasSecretValue|hasConnectionPassword|isSecretEntry|commandSecrets|argumentSecrets|secretSettings)\(/;

/** `when`, where all parts have the same one and it asks for nothing but the object: then it is asked before anything else. */
function sharedCondition(parts: readonly Part[], all: readonly PolicyTarget[], translator: Translator): Term | undefined {
  const [when, ...others] = new Set(parts.map(({ logic }) => logic.when));
  if (when === undefined || others.length > 0) return undefined;
  try {
    const condition = translator.condition(when, typeOfTargets(all));
    return condition.is !== 'literal' && [...freeNames(condition)].every((free) => free === 'object') ? condition : undefined;
  } catch (error) {
    if (error instanceof NotExportable) return undefined;
    throw error;
  }
}

function withoutWhen({ when: _, ...logic }: RuleLogic): RuleLogic {
  return logic;
}

/** Tells the objects of a part from those of the others. */
function gateOf({ targets }: Part, all: readonly PolicyTarget[]): Term {
  const own = new Set(targets.map(keyOf));
  const others = all.filter((target) => !own.has(keyOf(target)));
  if (others.length === 0 || all.some(({ kind }) => kind === undefined)) return TRUE;
  const [kinds, otherKinds] = [targets, others].map((list) => list.flatMap(({ kind }) => kind ?? []));
  const groups = [...new Set(targets.map(({ group }) => group))];
  const [group] = groups;
  // Two kinds of one name are told apart by their groups.
  if (kinds?.some((kind) => otherKinds?.includes(kind)) && group !== undefined && groups.length === 1) return isOfGroup(group);
  return others.length < targets.length ? not(isOneOf(otherKinds ?? [])) : isOneOf(kinds ?? []);
}

function unique(parts: readonly Pick<Part, 'targets'>[]): PolicyTarget[] {
  const targets = parts.flatMap((part) => part.targets);
  return [...new Map(targets.map((target) => [keyOf(target), target])).values()];
}

function keyOf({ group, kind }: PolicyTarget): string {
  return `${group}/${kind}`;
}

/** The variables that these terms read, and those that these read. */
function reachable(variables: PolicyVariables, terms: readonly Term[]): PolicyVariables {
  const wanted = new Set<string>();
  const visit = (term: Term): void => {
    if (term.is === 'member' && term.of.is === 'name' && term.of.name === 'variables' && !wanted.has(term.name)) {
      wanted.add(term.name);
      const variable = variables.get(term.name);
      if (variable) visit(variable);
    }
    operandsOf(term).forEach(visit);
  };
  terms.forEach(visit);
  return new Map([...variables].filter(([name]) => wanted.has(name)));
}
