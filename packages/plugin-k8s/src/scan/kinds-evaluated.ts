import { type Catalogue, parseTarget, type Rule, type Target } from '@bylaw/core/rule';
import { POD_CARRIERS } from './kind-name.js';

/**
 * The kinds that rules evaluate, by the names that rules have for them; `group/*` stands for all of a group. A rule about objects of any kind evaluates
 * those that the other rules of the catalogue name.
 */
export function kindsEvaluated(rules: readonly Rule[], catalogue: Pick<Catalogue, 'rules'>): string[] {
  const targets = targetsOf(rules);
  const evaluated = targets.some(({ type }) => type === 'any') ? targetsOf(catalogue.rules) : targets;
  return [...new Set(evaluated.flatMap(kindsOfTarget))];
}

function targetsOf(rules: readonly Rule[]): Target[] {
  return rules.flatMap((rule) => rule.targets.map((text) => parseTarget(text).target));
}

function kindsOfTarget(target: Target): readonly string[] {
  switch (target.type) {
    case 'any':
      return [];
    case 'pod':
      return POD_CARRIERS;
    case 'builtin':
      return [target.kind];
    case 'custom':
      return [`${target.group}/${target.kind}`];
    case 'group':
      return [`${target.group}/*`];
  }
}
