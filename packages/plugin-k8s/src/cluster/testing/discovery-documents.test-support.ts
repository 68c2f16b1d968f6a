import type { ServedKind } from '../cluster.js';

export type DiscoveryForm = 'v2' | 'v2beta1' | 'legacy';

/** What an API server answers about itself: the API of discovery (`apidiscovery.k8s.io`), and the documents of the time before it. */
export interface DiscoveryDocuments {
  /** @returns the answer to a path; undefined: there is no document at it */
  at(path: string, accept: string): { type: string; body: object } | undefined;
}

/** @param stale groups whose own server does not answer */
export function discoveryDocuments(kinds: readonly ServedKind[], form: DiscoveryForm, stale: readonly string[]): DiscoveryDocuments {
  const groups = Map.groupBy(kinds, ({ group }) => group);
  const named = [...groups].filter(([group]) => group !== '');
  const documents = new Map<string, object>([
    ['/version', { major: '1', minor: '34', gitVersion: 'v1.34.1', platform: 'linux/amd64' }],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(([group, served]) => groupDocument(group, served)) }],
  ]);
  for (const [group, served] of groups)
    for (const [version, resources] of Map.groupBy(served, (kind) => kind.version))
      if (!stale.includes(group)) documents.set(pathOf(group, version), resourceList(group, version, resources));
  return {
    at: (path, accept) => {
      const wanted = `g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`;
      if ((path === '/api' || path === '/apis') && form !== 'legacy' && accept.includes(wanted))
        return {
          type: `application/json;${wanted}`,
          body: aggregated(form, path === '/api' ? [['', groups.get('') ?? []]] : named, stale),
        };
      const body = documents.get(path);
      return body && { type: 'application/json', body };
    },
  };
}

function pathOf(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function aggregated(
  version: string,
  groups: readonly (readonly [string, readonly ServedKind[]])[],
  stale: readonly string[],
): { [member: string]: unknown } {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(([group, kinds]) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: [...Map.groupBy(kinds, (kind) => kind.version)].map(([name, served]) => ({
        version: name,
        resources: stale.includes(group) ? [] : served.map(aggregatedResource),
        freshness: stale.includes(group) ? 'Stale' : 'Current',
      })),
    })),
  };
}

function aggregatedResource({ group, version, kind, resource, namespaced, verbs }: ServedKind): object {
  return {
    resource,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.toLowerCase(),
    verbs,
    subresources: [{ subresource: 'status', responseKind: { group, version, kind }, verbs: ['get', 'patch', 'update'] }],
  };
}

function groupDocument(group: string, kinds: readonly ServedKind[]): object {
  const versions = [...new Set(kinds.map(({ version }) => version))].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourceList(group: string, version: string, kinds: readonly ServedKind[]): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: kinds.flatMap(({ kind, resource, namespaced, verbs }) => [
      { name: resource, singularName: kind.toLowerCase(), namespaced, kind, verbs },
      { name: `${resource}/status`, singularName: '', namespaced, kind, verbs: ['get', 'patch', 'update'] },
    ]),
  };
}
