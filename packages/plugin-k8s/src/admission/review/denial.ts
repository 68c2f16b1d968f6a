import type { Finding } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/plural';
import { printable, shorten } from '@bylaw/core/report/printable';

/** Most rules that a denial names, and the longest line about one, in characters. */
const MAX_RULES = 10;
const MAX_LINE = 1000;

/** Why a request is denied, for its author: a line for each rule, with what is wrong, where, and how to fix it. Bounded, and safe to show. */
export function denialText(findings: readonly Finding[], kind: string): string {
  const rules = byRule(findings);
  const lines = rules.slice(0, MAX_RULES).map((rule) => shorten(printable(ruleLine(rule)), MAX_LINE));
  const more = rules.length - lines.length;
  const head = `${plural(rules.length, 'rule forbids', 'rules forbid')} this ${shorten(printable(kind), 100)}:`;
  return [head, ...lines, ...(more > 0 ? [`and ${more} more.`] : [])].join('\n');
}

function ruleLine(rule: RuleFindings): string {
  const { rule_id, severity, title, message, fix } = rule.first;
  const what = message === title ? '' : `: ${message}`;
  return `- ${rule_id} ${severity} ${title}${what}${placesOf(rule)}. ${fix}`;
}

/** The findings of one rule on an object: the first of them, and how many more places there are. */
export interface RuleFindings {
  first: Finding;
  more: number;
}

/** In the order in which the rules come first. */
export function byRule(findings: readonly Finding[]): RuleFindings[] {
  return [...Map.groupBy(findings, ({ rule_id }) => rule_id).values()].flatMap(([first, ...others]) =>
    first ? [{ first, more: others.length }] : [],
  );
}

/** Where the findings are: ` (at /spec/hostPID and 2 more places)`. */
export function placesOf({ first, more }: RuleFindings): string {
  const others = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`;
  return ` (at ${first.path === '' ? 'the object' : first.path}${others})`;
}
