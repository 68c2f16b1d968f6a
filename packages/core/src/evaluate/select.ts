// From its own file: selecting rules needs no lists of controls.
import { parseFrameworkRef, refMatches, resolveFramework } from '../compliance/framework-ref.js';
import { type Catalogue, type Rule, type RuleFilter, selectRules } from '../rule/index.js';

/** Which rules to use, as the command line, REST and MCP all take it. */
export interface Selection extends Omit<RuleFilter, 'framework'> {
  /** Frameworks, with or without version and item; a rule that maps to one of them is used. */
  frameworks?: readonly string[];
}

/**
 * The selected rules in catalogue order.
 * @throws {BylawError} `category-unknown`, `severity-unknown`, `rule-unknown` or `framework-unknown`
 */
export function select(catalogue: Catalogue, selection: Selection = {}): Rule[] {
  const { frameworks, ...filter } = selection;
  if (!frameworks) return selectRules(catalogue, filter);
  const wanted = frameworks.map((framework) => resolveFramework(framework, catalogue.rules));
  const framework = (rule: Rule) => rule.frameworks.some((ref) => wanted.some((query) => refMatches(parseFrameworkRef(ref), query)));
  return selectRules(catalogue, { ...filter, framework });
}
