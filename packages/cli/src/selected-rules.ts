import { type Selection, select } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import type { Rule } from '@bylaw/core/rule';
import type { Doors, RuleSummary } from './doors/index.js';

/**
 * The rules that a run uses, for the reports that describe them. A server may have rules that this installation lacks: of those only
 * what its list says is known.
 * @throws {BylawError} for unknown names in the selection
 */
export async function selectedRules(selection: Selection, { catalogue, loaded }: Installation, doors: Doors): Promise<Rule[]> {
  const known = await catalogue();
  if (loaded.remote.url === undefined) return select(known, selection);
  const { rules, excludeRules = [], ...query } = selection;
  const wanted = rules && new Set(rules.map((id) => id.toUpperCase()));
  const unwanted = new Set(excludeRules);
  const list = await doors.listRules(query);
  return list.rules
    .filter(({ id }) => (wanted?.has(id) ?? true) && !unwanted.has(id))
    .map((rule) => known.get(rule.id) ?? listedRule(rule));
}

function listedRule(rule: RuleSummary): Rule {
  return { ...rule, description: rule.title, logic: [], fix: '', references: [], peers: [] };
}
