import type { Catalogue } from '@bylaw/core/rule';
import { certificates } from './certificates.js';
import { namespaceObjects, networkPolicy, service } from './network.js';
import type { ManifestOptions } from './options.js';
import { webhookConfiguration } from './webhook-configuration.js';
import { configMap, deployment, disruptionBudget, priorityClass, serviceAccount } from './workload.js';

/**
 * All that a cluster needs to ask the webhook, in the order in which it is created: the API server is told of the webhook last. The same options
 * and rules give the same objects.
 */
export function webhookManifests(options: ManifestOptions, catalogue: Pick<Catalogue, 'rules'>): object[] {
  const config = configMap(options);
  return [
    ...(options.createNamespace ? namespaceObjects(options) : []),
    priorityClass(),
    serviceAccount(options),
    config,
    ...(options.caBundle === undefined ? certificates(options) : []),
    deployment(options, config),
    service(options),
    disruptionBudget(options),
    networkPolicy(options),
    webhookConfiguration(options, catalogue),
  ];
}
