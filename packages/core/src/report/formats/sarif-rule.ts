import { CATEGORIES, type Rule, type Severity } from '../../rule/index.js';

/** SARIF knows three levels of failure. */
const LEVELS = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', INFO: 'note' } as const satisfies {
  [severity in Severity]: string;
};

/**
 * The middle of the band of each severity as GitHub cuts them (over 9.0 critical, from 7.0 high, from 4.0 medium, from 0.1 low):
 * https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
const SECURITY_SEVERITIES: { [severity in Severity]: string } = { CRITICAL: '9.5', HIGH: '8.0', MEDIUM: '5.5', LOW: '2.0', INFO: '0.0' };

/** Categories that are not about security: a missing replica is not a vulnerability, so their rules get no security severity. */
const OTHER_CATEGORIES = new Set(['RL', 'RM', 'ST', 'OP', 'FO', 'CB']);

export function levelOf(severity: Severity): (typeof LEVELS)[Severity] {
  return LEVELS[severity];
}

/** What a viewer shows about a rule beside its results: a `reportingDescriptor`. */
export function sarifRule(rule: Rule) {
  const isSecurity = !OTHER_CATEGORIES.has(rule.category);
  const helpUri = rule.references.find((reference) => /^https?:\/\//.test(reference) && URL.canParse(reference));
  const description = rule.description || rule.title;
  return {
    id: rule.id,
    name: pascalCase(rule.title),
    shortDescription: { text: rule.title },
    fullDescription: { text: description },
    help: {
      text: `${description}\n\nFix: ${rule.fix}`,
      markdown: `${markup(description)}\n\n**Fix:** ${markup(rule.fix)}${links(rule.references)}`,
    },
    ...(helpUri !== undefined && { helpUri }),
    defaultConfiguration: { level: levelOf(rule.severity) },
    properties: {
      tags: [...(isSecurity ? ['security'] : []), categoryName(rule.category), ...rule.frameworks],
      ...(isSecurity && { 'security-severity': SECURITY_SEVERITIES[rule.severity] }),
      severity: rule.severity,
      category: rule.category,
    },
  };
}

function categoryName(code: string): string {
  return Object.hasOwn(CATEGORIES, code) ? CATEGORIES[code as keyof typeof CATEGORIES].toLowerCase() : code; // hasOwn has just said so
}

/** `Containers do not run privileged` → `ContainersDoNotRunPrivileged` (3.49.7 asks for a readable identifier). */
function pascalCase(title: string): string {
  return title.replace(/[^\p{L}\p{N}]*([\p{L}\p{N}]+)[^\p{L}\p{N}]*/gu, (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** Rules may use Markdown in their texts, but no HTML. */
function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function links(references: readonly string[]): string {
  return references.length === 0 ? '' : `\n\n${references.map((reference) => `- ${markup(reference)}`).join('\n')}`;
}
