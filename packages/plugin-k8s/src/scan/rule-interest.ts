import { POD_SPEC } from '@bylaw/core/evaluate';
import { parseTarget, type Rule, type Target } from '@bylaw/core/rule';
import { POD_CARRIERS } from './kind-name.js';

/** Which kinds a set of rules looks at. Kinds go by the names that rules have for them. */
export interface RuleInterest {
  /** Whether a rule names the kind as its target: by its name, its group, or as one that carries a Pod. */
  names(kind: string): boolean;
  /** Whether a rule evaluates objects of any kind (`*`). */
  any: boolean;
  /** Whether a rule reads the kind to evaluate others. */
  reads(kind: string): boolean;
}

export function interestOf(rules: readonly Rule[]): RuleInterest {
  const targets = rules.flatMap((rule) => rule.targets.map((text) => parseTarget(text).target));
  const read = new Set(rules.flatMap(kindsRead));
  return {
    names: (kind) => targets.some((target) => namesKind(target, kind)),
    any: targets.some(({ type }) => type === 'any'),
    reads: (kind) => read.has(kind),
  };
}

/** The kinds that a rule reads to evaluate others; for `PodSpec`, all that carry a Pod. */
export function kindsRead({ set }: Rule): string[] {
  return [...new Set(Object.keys(set ?? {}).flatMap((kind) => (kind === POD_SPEC ? POD_CARRIERS : [kind])))];
}

function namesKind(target: Target, kind: string): boolean {
  switch (target.type) {
    case 'any':
      return false;
    case 'pod':
      return POD_CARRIERS.includes(kind);
    case 'builtin':
      return kind === target.kind;
    case 'custom':
      return kind === `${target.group}/${target.kind}`;
    case 'group':
      return kind.startsWith(`${target.group}/`);
  }
}

/** Whether a rule names or reads a kind of a custom group. */
export function isAboutGroup(rule: Rule, group: string): boolean {
  const targets = rule.targets.map((text) => parseTarget(text).target);
  return (
    targets.some((target) => 'group' in target && target.group === group) || kindsRead(rule).some((kind) => kind.startsWith(`${group}/`))
  );
}
