import type { Finding } from '@bylaw/core/evaluate';
import { plural } from '@bylaw/core/plural';
import { printable, shorten } from '@bylaw/core/report/printable';
import { byRule, placesOf, type RuleFindings } from './by-rule.js';

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
