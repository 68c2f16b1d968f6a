import type { Finding } from '@bylaw/core/evaluate';
import { printable } from '@bylaw/core/report/printable';
import { byRule, placesOf } from './denial.js';

/**
 * Longest warning, and all of them, in characters: longer ones are cut by API servers, and further ones dropped.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response
 */
export const MAX_WARNING = 256;
export const MAX_WARNINGS = 4096;

/** More lines than this are read by nobody. With one more of the longest, they stay below the second bound. */
const MAX_LINES = 10;

/**
 * The warnings of a response: one for each rule, in the given order, in printable ASCII and within the bounds above. A last one tells how many
 * are left out.
 * @param others further lines, which come after those of the findings
 */
export function warningsOf(findings: readonly Finding[], others: readonly string[] = []): string[] {
  const lines = [...byRule(findings).map((rule) => warningLine(rule.first, placesOf(rule))), ...others].map(fitting);
  const more = lines.length - MAX_LINES;
  return more <= 0 ? lines : [...lines.slice(0, MAX_LINES), `and ${more} more; \`bylaw evaluate\` lists all findings of a manifest`];
}

function warningLine({ rule_id, severity, message }: Finding, places: string): string {
  return `${rule_id} ${severity}: ${message}${places}`;
}

/** The text as one warning: in printable ASCII, and cut where it is too long. */
export function fitting(text: string): string {
  const line = ascii(text);
  return line.length <= MAX_WARNING ? line : `${line.slice(0, MAX_WARNING - 3)}...`;
}

/** Warnings travel in a header. Signs that our own texts use are written otherwise, all others become a question mark. */
function ascii(text: string): string {
  return printable(text)
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replaceAll(/[^ -~]/gu, '?');
}
