import { BylawError } from '../errors.js';
import { nearest } from '../nearest.js';
import type { Catalogue } from './catalogue.js';
import { CATEGORIES, type Rule, SEVERITIES, type Severity } from './rule.js';

/** Which rules to use or to list. Absent members do not restrict; several members are ANDed, several values ORed. */
export interface RuleFilter {
  categories?: readonly string[];
  severities?: readonly string[];
  rules?: readonly string[];
  excludeRules?: readonly string[];
  /** Tells whether a rule maps to one of the wanted frameworks. The caller resolves names, see `compliance/`. */
  framework?: (rule: Rule) => boolean;
  /** Words that must all occur in the identifier, title, description, fix or targets, in any case. */
  search?: string;
}

/**
 * The rules of a catalogue that a filter lets through, in catalogue order. Codes and severities are taken in any case.
 * @throws {BylawError} `category-unknown`, `severity-unknown` or `rule-unknown`, naming the nearest known one.
 */
export function selectRules(catalogue: Catalogue, filter: RuleFilter): Rule[] {
  const categories = filter.categories && new Set(filter.categories.map((code) => knownCategory(catalogue, code)));
  const severities = filter.severities && new Set(filter.severities.map(knownSeverity));
  const wanted = filter.rules && new Set(filter.rules.map((id) => knownRule(catalogue, id)));
  const unwanted = new Set((filter.excludeRules ?? []).map((id) => knownRule(catalogue, id)));
  const words = filter.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return catalogue.rules.filter(
    (rule) =>
      (!categories || categories.has(rule.category)) &&
      (!severities || severities.has(rule.severity)) &&
      (!wanted || wanted.has(rule.id)) &&
      !unwanted.has(rule.id) &&
      (!filter.framework || filter.framework(rule)) &&
      words.every((word) => searchText(rule).includes(word)),
  );
}

export function knownCategory(catalogue: Catalogue, code: string): string {
  const upper = code.toUpperCase();
  const known = new Set([...Object.keys(CATEGORIES), ...catalogue.rules.map((rule) => rule.category)]);
  if (known.has(upper)) return upper;
  throw new BylawError('category-unknown', 'No such category.', { hint: suggestion(upper, known) });
}

export function knownSeverity(name: string): Severity {
  const found = SEVERITIES.find((severity) => severity === name.toUpperCase());
  if (found) return found;
  throw new BylawError('severity-unknown', 'No such severity.', { hint: suggestion(name, SEVERITIES) });
}

export function knownRule(catalogue: Catalogue, id: string): string {
  const upper = id.toUpperCase();
  if (catalogue.get(upper)) return upper;
  const near = nearest(
    upper,
    catalogue.rules.map((rule) => rule.id),
  );
  throw new BylawError('rule-unknown', 'No installed rule has this identifier.', {
    hint: near ? `Did you mean ${near}? \`bylaw rules\` lists all rules.` : '`bylaw rules` lists all rules.',
  });
}

function suggestion(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return `${near ? `Did you mean ${near}? ` : ''}Valid values: ${[...known].join(', ')}.`;
}

function searchText(rule: Rule): string {
  return [rule.id, rule.title, rule.description, rule.fix, ...rule.targets].join('\n').toLowerCase();
}
