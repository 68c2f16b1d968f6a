import { builtinGroup, groupOf } from '@bylaw/core/resource';
import type { Catalogue, Rule } from '@bylaw/core/rule';
import type { Discovery, ServedKind } from '../cluster/cluster.js';
import { chosenKinds } from './chosen-kinds.js';
import { ownershipDepth } from './ownership.js';
import { interestOf, isAboutGroup, kindsRead } from './rule-interest.js';
import { listableKinds, type NamedKind } from './served-kinds.js';

/** What a scan is asked to look at. */
export interface ScanScope {
  /** Absent: all of them, and what is in none. */
  namespaces?: readonly string[];
  /** Absent: all that rules look at. See `chosenKinds` for how they are named. */
  kinds?: readonly string[];
}

/** What a scan lists, and why. */
export interface ScanPlan {
  /** Controllers before what they own, otherwise by name: the order of the findings. */
  evaluated: NamedKind[];
  /** Kinds that rules read to evaluate others. */
  read: NamedKind[];
  /** Kinds that this scan could have looked at, and that no selected rule covers, by name. */
  uncovered: string[];
  /** Groups of the API whose kinds are not known, because their server does not answer. */
  failed: { kind: string; reason: string }[];
  /** Rules that read what this scan does not look at, so they would say things that are not so. */
  leftOut: Rule[];
}

/**
 * Plans a scan. A kind is evaluated where a rule names it. Rules for all kinds (`*`) evaluate what other rules of the catalogue name, or the caller
 * does: they alone are not a reason to list the Events and Leases of a cluster. In a scan of some namespaces nothing outside of them is
 * looked at but kinds that the caller names.
 * @throws {BylawError} `kind-unknown`
 */
export function planScan(discovery: Discovery, selected: readonly Rule[], catalogue: Pick<Catalogue, 'rules'>, scope: ScanScope): ScanPlan {
  const kinds = listableKinds(discovery.kinds);
  const chosen = scope.kinds && chosenKinds(kinds, scope.kinds);
  const within = ({ name, served }: NamedKind) => served.namespaced || scope.namespaces === undefined || chosen?.has(name) === true;
  const outside = new Set(kinds.filter((kind) => !within(kind)).map(({ name }) => name));
  const lost = discovery.failed.map(({ group_version }) => group_version);
  const isLeftOut = (rule: Rule) => kindsRead(rule).some((kind) => outside.has(kind) || lost.some((group) => isOfGroup(kind, group)));

  const rules = selected.filter((rule) => !isLeftOut(rule));
  const interest = interestOf(rules);
  const covering = interestOf(rules.filter(({ generic }) => !generic));
  const installed = interestOf(catalogue.rules);
  const isEvaluated = ({ name }: NamedKind) =>
    interest.names(name) || (interest.any && (chosen?.has(name) === true || installed.names(name)));
  const listed = kinds.filter(within);
  const wanted = listed.filter(({ name }) => chosen?.has(name) ?? true);
  return {
    evaluated: wanted.filter(isEvaluated).sort(inOrder),
    uncovered: wanted
      .filter(({ name }) => !covering.names(name))
      .map(({ name }) => name)
      .sort(),
    read: listed.filter(({ name }) => interest.reads(name)).sort(inOrder),
    failed: missedGroups(discovery, selected, chosen),
    leftOut: selected.filter(isLeftOut),
  };
}

/** The lists of a kind: one for each namespace, or one for all. */
export function namespacesOf({ namespaced }: ServedKind, scope: ScanScope): (string | undefined)[] {
  return namespaced && scope.namespaces ? [...new Set(scope.namespaces)].sort() : [undefined];
}

function inOrder(a: NamedKind, b: NamedKind): number {
  return ownershipDepth(a.name) - ownershipDepth(b.name) || (a.name < b.name ? -1 : 1);
}

function isOfGroup(kind: string, groupVersion: string): boolean {
  return kind.startsWith(`${groupOf(groupVersion)}/`);
}

/** Each group once, whatever the number of its versions. */
function missedGroups({ failed }: Discovery, rules: readonly Rule[], chosen: ReadonlySet<string> | undefined): ScanPlan['failed'] {
  const missed = failed.filter(({ group_version }) => concerns(group_version, rules, chosen));
  const byGroup = new Map(missed.map(({ group_version, reason }) => [groupOf(group_version), reason]));
  return [...byGroup].map(([group, reason]) => ({ kind: `${group}/*`, reason }));
}

/** A group that no rule is about is not missed: in many a cluster that of the metrics does not answer. */
function concerns(groupVersion: string, rules: readonly Rule[], chosen: ReadonlySet<string> | undefined): boolean {
  if (chosen && ![...chosen].some((kind) => isOfGroup(kind, groupVersion))) return false;
  return builtinGroup(groupVersion) || rules.some((rule) => isAboutGroup(rule, groupOf(groupVersion)));
}
