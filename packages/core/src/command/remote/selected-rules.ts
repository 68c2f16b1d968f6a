// From its own file: listing rules starts no engine.
import { type Selection, select } from '../../evaluate/select.js';
import type { Installation } from '../../installation.js';
import type { Rule } from '../../rule/index.js';

/** A rule as a list of rules has it. */
export type ListedRule = Pick<Rule, 'id' | 'category' | 'severity' | 'title' | 'targets' | 'frameworks'>;

/**
 * The rules that a run uses, for the reports that describe them. A server may have rules that this installation lacks: of those only
 * what its list says is known.
 * @param list has the server list rules; it is asked only where a server does the work
 * @throws {BylawError} for unknown names in the selection
 */
export async function selectedRules(
  selection: Selection,
  { catalogue, loaded }: Installation,
  list: (query: Pick<Selection, 'categories' | 'severities' | 'frameworks' | 'search'>) => Promise<{ rules: readonly ListedRule[] }>,
): Promise<Rule[]> {
  const known = await catalogue();
  if (loaded.remote.url === undefined) return select(known, selection);
  const { rules, excludeRules = [], ...query } = selection;
  const wanted = rules && new Set(rules.map((id) => id.toUpperCase()));
  const unwanted = new Set(excludeRules);
  const listed = await list(query);
  return listed.rules
    .filter(({ id }) => (wanted?.has(id) ?? true) && !unwanted.has(id))
    .map((rule) => known.get(rule.id) ?? { ...rule, description: rule.title, logic: [], fix: '', references: [], peers: [] });
}
