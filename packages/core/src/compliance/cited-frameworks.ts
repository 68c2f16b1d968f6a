import type { Rule } from '../rule/rule.js';
import { type FrameworkRef, parseFrameworkRef, refMatches } from './framework-ref.js';
import { FRAMEWORKS, isReference } from './framework-table.js';
import { type Control, type ControlList, controlListOf } from './frameworks/index.js';
import { naturalOrder } from './natural-order.js';

/** A rule, as far as compliance looks at it. */
export type CitingRule = Pick<Rule, 'id' | 'frameworks'>;

/** A framework that rules cite, with the controls that they support and those that none does. */
export interface CitedFramework {
  /** As rules cite it, with its version. */
  id: string;
  title: string;
  version: string | null;
  /** Documents to which rules refer, without controls to comply with. */
  reference: boolean;
  /** Those that a rule cites, in natural order. */
  cited: CitedControl[];
  /** Those that no rule cites, in natural order; null where it is not known which controls the framework has. */
  uncovered: Control[] | null;
}

export interface CitedControl extends Control {
  /** Identifiers, in the order of the rules given. */
  rules: string[];
  /**
   * Only where the controls of the framework are known and this is not one of them: the framework or a part of it cited as a whole, or an
   * unknown number.
   */
  unlisted?: true;
}

/** The frameworks that the rules cite, in natural order. @param wanted only what one of these names; everything when absent */
export function citedFrameworks(rules: readonly CitingRule[], wanted?: readonly FrameworkRef[]): CitedFramework[] {
  const isWanted = (ref: FrameworkRef) => wanted?.some((query) => refMatches(ref, query)) ?? true;
  const refs = rules.flatMap(({ id, frameworks }) => frameworks.map((text) => ({ rule: id, ref: parseFrameworkRef(text) })));
  const byFramework = Map.groupBy(
    refs.filter(({ ref }) => isWanted(ref)),
    ({ ref }) => ref.framework,
  );
  return [...byFramework].sort(([a], [b]) => naturalOrder(a, b)).map(([id, citations]) => frameworkOf(id, citations, isWanted));
}

interface Citation {
  rule: string;
  ref: FrameworkRef;
}

function frameworkOf(id: string, citations: readonly Citation[], isWanted: (ref: FrameworkRef) => boolean): CitedFramework {
  const { name, version } = parseFrameworkRef(id);
  const rulesOf = Map.groupBy(citations, ({ ref }) => ref.item ?? id);
  const list = controlListOf(id);
  const all = knownControls(list, (item) => isWanted({ framework: id, name, version, item }), rulesOf);
  const known = new Set(all?.map((control) => control.id));
  const titles = new Map([...(list.parts ?? []), ...list.controls].map((control) => [control.id, control.title]));
  const edition = Object.hasOwn(FRAMEWORKS, name) ? FRAMEWORKS[name] : undefined;
  const inOrder = (a: Control, b: Control) => naturalOrder(a.id, b.id);
  return {
    id,
    title: edition?.title ?? name,
    version: version ?? edition?.version ?? null,
    reference: isReference(name),
    cited: [...rulesOf]
      .map(([control, cites]) => citedControl(control, titles.get(control), cites, all !== null && !known.has(control)))
      .sort(inOrder),
    uncovered: all?.filter(({ id: control }) => !rulesOf.has(control)).sort(inOrder) ?? null,
  };
}

/**
 * The controls of the framework that are asked about. Null where its list is not complete, and where rules cite it only as a whole: nothing is then known
 * about any single control.
 */
function knownControls(
  { controls, complete }: ControlList,
  isWanted: (item: string) => boolean,
  cited: ReadonlyMap<string, unknown>,
): Control[] | null {
  const wanted = controls.filter(({ id }) => isWanted(id));
  return complete && wanted.some(({ id }) => cited.has(id)) ? wanted : null;
}

function citedControl(id: string, title: string | undefined, citations: readonly Citation[], unlisted: boolean): CitedControl {
  const rules = [...new Set(citations.map(({ rule }) => rule))];
  return { id, ...(title !== undefined && { title }), rules, ...(unlisted && { unlisted: true as const }) };
}
