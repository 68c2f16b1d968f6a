import { expressionOf } from './expression.js';
import { isOneOf } from './target/pod-terms.js';
import type { PolicyTarget } from './target/target.js';
import { not, or } from './term/build.js';
import { literal, member, name, operandsOf, type Term } from './term/term.js';
import type { TranslatedRule } from './translate-rule.js';

export interface ResourceRule {
  apiGroups: string[];
  apiVersions: string[];
  operations: string[];
  resources: string[];
}

export interface MatchCondition {
  name: string;
  expression: string;
}

/** The resources that a policy looks at, one rule for each group. */
export function resourceRules(rule: TranslatedRule): ResourceRule[] {
  const groups = Map.groupBy(rule.targets, ({ group, versions }) => JSON.stringify([group, versions]));
  return [...groups.values()].map((targets) => ({
    apiGroups: [targets[0]?.group ?? ''],
    apiVersions: [...(targets[0]?.versions ?? [])],
    operations: ['CREATE', 'UPDATE'],
    resources: [...new Set(targets.flatMap((target) => [...target.resources, ...subresourcesOf(target, rule)]))].sort(),
  }));
}

/** Parts of a Pod that change by resources of their own: `kubectl debug` adds containers, an autoscaler sets requests and limits. */
const POD_SUBRESOURCES = { ephemeralContainers: 'pods/ephemeralcontainers', resources: 'pods/resize' };

function subresourcesOf({ kind }: PolicyTarget, rule: TranslatedRule): string[] {
  if (kind !== 'Pod') return [];
  const terms = [...rule.variables.values(), ...rule.violations];
  return Object.entries(POD_SUBRESOURCES).flatMap(([field, resource]) => (terms.some((term) => readsField(term, field)) ? [resource] : []));
}

function readsField(term: Term, field: string): boolean {
  return (term.is === 'member' && term.name === field) || operandsOf(term).some((operand) => readsField(operand, field));
}

/** What is asked before any expression of the rule. */
export function matchConditions(rule: TranslatedRule, controllers: readonly string[]): MatchCondition[] {
  const conditions: { name: string; term: Term | undefined }[] = [
    { name: 'kind', term: kindCondition(rule.targets) },
    { name: 'applies', term: rule.condition },
    { name: 'changed', term: changeCondition(rule) },
    { name: 'not-by-workload-controller', term: rule.targets.some(({ pod }) => pod) ? notBy(controllers) : undefined },
  ];
  return conditions.flatMap(({ name: text, term }) => (term ? [{ name: text, expression: expressionOf(term) }] : []));
}

/** The API's name of a custom resource is not known here, so that all of its group are matched by resource and told apart by kind. */
function kindCondition(targets: readonly PolicyTarget[]): Term | undefined {
  const kinds = targets.flatMap(({ kind }) => kind ?? []);
  const needed = targets.some(({ resources }) => resources.includes('*')) && kinds.length === targets.length;
  return needed ? isOneOf(kinds) : undefined;
}

/**
 * What the controllers of the built-in workloads make of an object has been evaluated with that object. Whoever else writes such a Pod is evaluated,
 * whatever owner it names.
 */
function notBy(users: readonly string[]): Term | undefined {
  if (users.length === 0) return undefined;
  const known: Term = { is: 'list', items: users.map((text) => literal(text)) };
  return not({ is: 'binary', operator: 'in', left: member(member(name('request'), 'userInfo'), 'username'), right: known });
}

/**
 * An update that changes nothing which the rule reads is let through: who scales or labels an old object need not fix it, and the finalizers of
 * what is being deleted can go.
 */
function changeCondition(rule: TranslatedRule): Term {
  const terms = [...rule.variables.values(), ...rule.violations];
  const fields = new Map<string, (of: Term) => Term>();
  const read = (term: Term): void => {
    const path = pathFromObject(term);
    if (path === undefined) {
      operandsOf(term).forEach(read);
      return;
    }
    for (const steps of comparedFields(path))
      if (!FIXED.has(steps.join('.'))) fields.set(steps.join('.'), (of) => steps.reduce<Term>(optionalMember, of));
  };
  terms.forEach(read);
  if (fields.has('')) return NOT_BEING_DELETED;
  const isNew: Term = { is: 'binary', operator: '==', left: name('oldObject'), right: literal(null) };
  const changes = [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, at]): Term => ({ is: 'binary', operator: '!=', left: at(name('object')), right: at(name('oldObject')) }));
  return or(isNew, ...changes);
}

/** Every update changes something of the metadata; what rules read of them are labels and annotations, or what they name. */
function comparedFields([first = '', second]: readonly string[]): string[][] {
  if (first !== 'metadata') return [[first]];
  return second === undefined
    ? [
        ['metadata', 'annotations'],
        ['metadata', 'labels'],
      ]
    : [['metadata', second]];
}

/** What is being deleted must be able to lose its finalizers, whatever else is wrong with it. */
const NOT_BEING_DELETED = not({
  is: 'call',
  name: 'hasValue',
  on: { is: 'member', of: member(name('object'), 'metadata'), name: 'deletionTimestamp', optional: true },
  args: [],
});

/** What no update can change. */
const FIXED = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.uid']);

/** The names of the members between the object and a term, where it is a selection from it. */
function pathFromObject(term: Term): string[] | undefined {
  if (term.is === 'name') return term.name === 'object' ? [] : undefined;
  if (term.is !== 'member') return undefined;
  const path = pathFromObject(term.of);
  return path && [...path, term.name];
}

function optionalMember(of: Term, field: string): Term {
  return { is: 'member', of, name: field, optional: true };
}
