import { type Catalogue, parseTarget, type Rule } from '@bylaw/core/rule';
import { kindsEvaluated, resourcesOf } from '../../scan/index.js';

/** A rule of a webhook: which requests it is asked about. */
export interface WebhookRule {
  apiGroups: [string];
  apiVersions: ['*'];
  operations: ['CREATE', 'UPDATE'];
  resources: string[];
  scope: '*';
}

/** Subresources through which a Pod gets containers, or resources. */
const OF_PODS = ['pods/ephemeralcontainers', 'pods/resize'];

/** Kubelets report through these: a webhook that does not answer would take the nodes down. The scan of a cluster evaluates them. */
const HEARTBEATS: ReadonlySet<string> = new Set(['nodes']);

/**
 * The resources that rules about single objects evaluate, by group, except heartbeats of nodes; nothing else is sent to the webhook.
 * @param secrets whether Secrets are: they are many, and what is in them leaves the API server
 */
export function webhookRules({ rules }: Pick<Catalogue, 'rules'>, { secrets }: { secrets: boolean }): WebhookRule[] {
  const single = rules.map(withoutSet);
  const byGroup = Map.groupBy(kindsEvaluated(single, { rules: single }).flatMap(resourcesOf), ({ group }) => group);
  return [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([group, granted]) => {
      const resources = resourceList(granted.map(({ resource }) => resource)).filter(
        (resource) => group !== '' || !(HEARTBEATS.has(resource) || (resource === 'secrets' && !secrets)),
      );
      return resources.length === 0
        ? []
        : [{ apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources, scope: '*' } satisfies WebhookRule];
    });
}

function withoutSet(rule: Rule): Rule {
  return { ...rule, targets: rule.targets.filter((target) => !parseTarget(target).set) };
}

function resourceList(resources: readonly string[]): string[] {
  if (resources.includes('*')) return ['*'];
  return [...new Set(resources.flatMap((resource) => (resource === 'pods' ? [resource, ...OF_PODS] : [resource])))].sort();
}
