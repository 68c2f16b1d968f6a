import type { ServedKind } from '../cluster.js';
import { asList, asMapping, asText, type JsonMapping } from '../json.js';
import type { GroupVersion } from './document.js';

/** Reads an `APIGroupDiscoveryList` (group `apidiscovery.k8s.io`); undefined where it is not one, but a document of the older form. */
export function readAggregated(document: JsonMapping): GroupVersion[] | undefined {
  if (document.kind !== 'APIGroupDiscoveryList') return undefined;
  return asList(document.items).flatMap((item) => {
    const group = asText(asMapping(asMapping(item)?.metadata)?.name) ?? '';
    return asList(asMapping(item)?.versions).flatMap((version) => groupVersion(group, asMapping(version) ?? {}));
  });
}

function groupVersion(group: string, { version, freshness, resources }: JsonMapping): GroupVersion[] {
  if (typeof version !== 'string') return [];
  if (freshness === 'Stale') return [{ group, version, resources: { failed: 'its server does not answer' } }];
  return [{ group, version, resources: asList(resources).flatMap((resource) => servedKind(group, version, asMapping(resource) ?? {})) }];
}

/** A resource without a kind of its own is there for its subresources only. */
function servedKind(group: string, version: string, { resource, responseKind, scope, verbs }: JsonMapping): ServedKind[] {
  const kind = asText(asMapping(responseKind)?.kind);
  if (typeof resource !== 'string' || !kind) return [];
  return [
    { group, version, kind, resource, namespaced: scope === 'Namespaced', verbs: asList(verbs).filter((verb) => typeof verb === 'string') },
  ];
}
