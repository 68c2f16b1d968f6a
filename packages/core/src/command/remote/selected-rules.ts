// From its own file: listing rules starts no engine.
import { type Selection, select } from '../../evaluate/select.js';
import type { Installation } from '../../installation.js';
import type { Rule } from '../../rule/index.js';
import { remoteCall } from './call.js';

/** A rule as a list of rules has it. */
type ListedRule = Pick<Rule, 'id' | 'category' | 'severity' | 'title' | 'targets' | 'frameworks'>;

/**
 * The rules that a run uses, for the reports that describe them. A server may have rules that this installation lacks: of those only
 * what its list says is known.
 * @throws {BylawError} for unknown names in the selection; as `remoteCall`
 */
export async function selectedRules(selection: Selection, { catalogue, loaded }: Installation): Promise<Rule[]> {
  const known = await catalogue();
  const { url, key } = loaded.remote;
  if (url === undefined) return select(known, selection);
  const { rules, excludeRules = [], categories, severities, frameworks, search } = selection;
  const wanted = rules && new Set(rules.map((id) => id.toUpperCase()));
  const unwanted = new Set(excludeRules);
  const query = { category: categories, severity: severities, framework: frameworks, search };
  const listed = await remoteCall<{ rules: ListedRule[] }>({ url, key }, 'GET', 'rules', { query });
  return listed.rules
    .filter(({ id }) => (wanted?.has(id) ?? true) && !unwanted.has(id))
    .map((rule) => known.get(rule.id) ?? { ...rule, description: rule.title, logic: [], fix: '', references: [], peers: [] });
}
