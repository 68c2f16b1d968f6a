import { plural } from '@bylaw/core/plural';
import type { Catalogue } from '@bylaw/core/rule';
import { exportPolicies } from '../packages/plugin-k8s/dist/export/vap/index.js';
import { table } from './markdown.ts';

/** The text of `docs/reference/vap.md`: which rules have a ValidatingAdmissionPolicy, and why others do not have one. */
export function vapPage(catalogue: Catalogue): readonly string[] {
  const options = { actions: () => [], namespaceSelector: {}, controllers: [] };
  const { policies, skipped } = exportPolicies(catalogue.rules, catalogue, {}, options);
  const byCategory = Map.groupBy(policies, ({ rule }) => rule.split('-')[0] ?? '');
  const open = policies.filter(({ policy }) => policy.spec.failurePolicy === 'Ignore').map(({ rule }) => rule);
  return [
    `With default settings, ${policies.length} of ${plural(catalogue.rules.length, 'rule')} have a ValidatingAdmissionPolicy that \`bylaw export vap\` writes. See [Export](../export.md).`,
    [...byCategory].map(([category, list]) => `- ${category}: ${list.map(({ rule }) => rule).join(', ')}`).join('\n'),
    `These rules search text of any length. They let an object through if the search costs more than the API server allows (\`failurePolicy: Ignore\`): ${open.join(', ')}.`,
    '## Rules without a policy',
    table(
      ['rule', 'reason'],
      skipped.map(({ rule, message }) => [rule, message]),
    ),
    '## Parts of rules that their policies do not check',
    table(
      ['rule and kinds', 'reason'],
      policies.flatMap(({ rule, omitted }) => omitted.map(({ targets, message }) => [`${rule}: ${targets.join(', ')}`, message])),
    ),
  ];
}
