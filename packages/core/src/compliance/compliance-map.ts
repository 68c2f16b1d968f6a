import type { Rule } from '../rule/rule.js';
import { CONTROL_TITLES } from './control-titles.js';
import { type FrameworkRef, parseFrameworkRef, refMatches, resolveFramework } from './framework-ref.js';
import { FRAMEWORKS } from './framework-table.js';
import { naturalOrder } from './natural-order.js';

/** Which rules support which controls: the body of `GET /api/v1/compliance`, members in this order. */
export interface ComplianceMap {
  frameworks: FrameworkMapping[];
  /** Number of `frameworks`. */
  total: number;
}

export interface FrameworkMapping {
  /** As rules cite it, with its version: what `--framework` takes. */
  id: string;
  title: string;
  version: string | null;
  /** In natural order of their identifiers. A framework that is cited as a whole has one control with its own identifier. */
  controls: ControlMapping[];
  coverage: {
    controls_mapped: number;
    /** Distinct rules over all controls. */
    rules: number;
  };
}

export interface ControlMapping {
  id: string;
  /** Only where the name is free to reproduce. */
  title?: string;
  /** Identifiers, in the order of the rules given. */
  rules: string[];
}

/**
 * Maps the rules to the controls of the frameworks that they cite, all of them or those that `query` names (see `frameworkMatches`).
 * @throws {BylawError} `framework-unknown` for a query that no rule maps to.
 */
export function complianceMap(rules: readonly Pick<Rule, 'id' | 'frameworks'>[], query?: string): ComplianceMap {
  const wanted = query === undefined ? undefined : resolveFramework(query, rules);
  const cited = new Map<string, { ref: FrameworkRef; controls: Map<string, Set<string>> }>();
  for (const rule of rules)
    for (const text of rule.frameworks) {
      const ref = parseFrameworkRef(text);
      if (wanted !== undefined && !refMatches(ref, wanted)) continue;
      const { controls } = upsert(cited, ref.framework, () => ({ ref, controls: new Map<string, Set<string>>() }));
      upsert(controls, ref.item ?? ref.framework, () => new Set<string>()).add(rule.id);
    }
  const frameworks = [...cited.values()].sort((a, b) => naturalOrder(a.ref.framework, b.ref.framework)).map(mapping);
  return { frameworks, total: frameworks.length };
}

function mapping({ ref, controls }: { ref: FrameworkRef; controls: Map<string, Set<string>> }): FrameworkMapping {
  const known = ownMember(FRAMEWORKS, ref.name);
  const titles = ownMember(CONTROL_TITLES, ref.framework) ?? {};
  return {
    id: ref.framework,
    title: known?.title ?? ref.name,
    version: ref.version ?? known?.version ?? null,
    controls: [...controls]
      .sort(([a], [b]) => naturalOrder(a, b))
      .map(([id, rules]) => {
        const title = ownMember(titles, id);
        return { id, ...(title !== undefined && { title }), rules: [...rules] };
      }),
    coverage: { controls_mapped: controls.size, rules: new Set([...controls.values()].flatMap((rules) => [...rules])).size },
  };
}

function upsert<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function ownMember<V>(table: { readonly [key: string]: V }, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
