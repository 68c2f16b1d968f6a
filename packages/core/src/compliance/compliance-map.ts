import { type CitedControl, type CitedFramework, type CitingRule, citedFrameworks } from './cited-frameworks.js';
import { resolveFramework } from './framework-ref.js';
import type { Control } from './frameworks/index.js';

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
  /** Those that a rule supports, in natural order of their identifiers. A framework that is cited as a whole has one control with its own identifier. */
  controls: CitedControl[];
  coverage: Coverage;
  /** The controls of the framework that no rule supports, in natural order; empty where `coverage.controls_total` is null. */
  uncovered: Control[];
}

/** How much of a framework the rules support; with a query for some items, of these. */
export interface Coverage {
  /** Controls of the framework that a rule supports. */
  controls_mapped: number;
  /** Controls that the framework has; null where that is not known, see docs/compliance.md. */
  controls_total: number | null;
  /** Distinct rules over all controls. */
  rules: number;
}

/**
 * Maps the rules to the controls of the frameworks that they cite, all of them or those that one of `queries` names (see `frameworkMatches`).
 * @throws {BylawError} `framework-unknown` for a query that no rule maps to.
 */
export function complianceMap(rules: readonly CitingRule[], queries?: readonly string[]): ComplianceMap {
  const wanted = queries?.map((query) => resolveFramework(query, rules));
  const frameworks = citedFrameworks(rules, wanted).map(mapping);
  return { frameworks, total: frameworks.length };
}

function mapping(framework: CitedFramework): FrameworkMapping {
  const { id, title, version, cited, uncovered } = framework;
  return { id, title, version, controls: cited, coverage: coverageOf(framework), uncovered: uncovered ?? [] };
}

/** The counts of a framework. */
export function coverageOf({ cited, uncovered }: CitedFramework): Coverage {
  const mapped = cited.filter(({ unlisted }) => !unlisted).length;
  return {
    controls_mapped: mapped,
    controls_total: uncovered === null ? null : mapped + uncovered.length,
    rules: new Set(cited.flatMap(({ rules }) => rules)).size,
  };
}
