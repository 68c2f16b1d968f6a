import type { Expression } from '../cel/index.js';
import { POD_KINDS } from '../resource/index.js';
import { expressionsOf } from './logic.js';
import type { Rule } from './rule.js';
import { parseTarget } from './target.js';

/**
 * The expressions of rules, in groups that are needed together: those of rules for Pods, for other kinds of Kubernetes, for custom kinds, for one
 * provider of Terraform. Expressions of several groups are a group of their own. Each text once, in the order of the rules.
 */
export function codeGroups(rules: readonly Pick<Rule, 'logic'>[]): ReadonlyMap<string, readonly Expression[]> {
  const expressions = new Map<string, { group: string; expression: Expression }>();
  for (const logic of rules.flatMap((rule) => rule.logic)) {
    const [first = 'any', ...others] = new Set(logic.targets.map(groupOf));
    const group = others.length === 0 ? first : SEVERAL;
    for (const expression of expressionsOf(logic)) {
      const known = expressions.get(expression.source);
      expressions.set(expression.source, known ? { ...known, group: known.group === group ? group : SEVERAL } : { group, expression });
    }
  }
  const groups = new Map<string, Expression[]>();
  for (const { group, expression } of expressions.values()) {
    const members = groups.get(group) ?? [];
    members.push(expression);
    groups.set(group, members);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const SEVERAL = 'several';

/** The name of a group is the name of a file, too: letters and digits. */
function groupOf(text: string): string {
  const { target } = parseTarget(text);
  switch (target.type) {
    case 'any':
      return 'any';
    case 'pod':
      return 'pods';
    case 'custom':
    case 'group':
      return 'custom';
    case 'builtin':
      if (POD_KINDS.includes(target.kind)) return 'pods';
      return /^([a-z0-9]+)_/.exec(target.kind)?.[1] ?? 'kubernetes';
  }
}
