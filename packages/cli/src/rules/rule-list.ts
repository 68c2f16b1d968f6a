import type { Selection } from '@bylaw/core/evaluate';
import { categoriesNotInstalled, select } from '@bylaw/core/evaluate';
import type { Catalogue, Rule } from '@bylaw/core/rule';

/** Which rules to list. Several values of one member are alternatives; absent members do not restrict. */
export interface RuleQuery extends Pick<Selection, 'categories' | 'severities' | 'frameworks' | 'search'> {
  /** The most rules to answer; all when absent. */
  limit?: number;
  offset?: number;
}

/** The body of `GET /api/v1/rules`, members in this order. */
export interface RuleList {
  rules: RuleSummary[];
  /** How many there are without `limit` and `offset`. */
  total: number;
  /** Installed rules in the categories asked for, or in all of them: 0 says that the list is empty because nothing is installed, not because nothing matches. */
  installed: number;
  /** Categories asked for that have no installed rule. */
  not_installed: string[];
}

export interface RuleSummary extends Pick<Rule, 'id' | 'category' | 'severity' | 'title' | 'targets' | 'frameworks'> {}

/**
 * The rules that a query selects, in catalogue order.
 * @throws {BylawError} `category-unknown`, `severity-unknown` or `framework-unknown`, naming the nearest known one
 */
export function listRules(catalogue: Catalogue, query: RuleQuery = {}): RuleList {
  const { limit, offset = 0, ...selection } = query;
  const selected = select(catalogue, selection);
  const page = selected.slice(offset, limit === undefined ? undefined : offset + limit);
  const { categories } = selection;
  const installed = categories ? select(catalogue, { categories }).length : catalogue.rules.length;
  return { rules: page.map(summaryOf), total: selected.length, installed, not_installed: categoriesNotInstalled(catalogue, categories) };
}

function summaryOf({ id, category, severity, title, targets, frameworks }: Rule): RuleSummary {
  return { id, category, severity, title, targets, frameworks };
}
