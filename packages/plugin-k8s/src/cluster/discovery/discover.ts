import type { Discovery, ServedKind } from '../cluster.js';
import { asText } from '../json.js';
import type { Transport } from '../transport/index.js';
import { readAggregated } from './aggregated.js';
import { documentOf, type GroupVersion } from './document.js';
import { legacyDiscovery } from './legacy.js';

/** The newest form first (KEP-3352, "Aggregated Discovery"); servers before 1.26 know the last one only. */
const ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/**
 * What the API server serves, each resource in the version that it prefers. A group whose server does not answer is named, and all
 * others are there.
 * @throws {BylawError} as `Transport.get`; `not-an-api-server`; `cluster-credentials` where the user may not ask
 */
export async function discover(transport: Transport): Promise<Discovery> {
  const roots = await Promise.all([rootAt(transport, '/api'), rootAt(transport, '/apis')]);
  const versions = await Promise.all(roots.map((root) => readAggregated(root) ?? legacyDiscovery(transport, root)));
  return summary(versions.flat());
}

async function rootAt(transport: Transport, path: string) {
  return documentOf(transport, await transport.get(path, { accept: ACCEPT }));
}

function summary(versions: readonly GroupVersion[]): Discovery {
  const preferred = new Map<string, ServedKind>();
  const failed = [];
  for (const { group, version, resources } of versions) {
    if ('failed' in resources) failed.push({ group_version: group === '' ? version : `${group}/${version}`, reason: resources.failed });
    else
      for (const kind of resources) {
        const key = `${group} ${kind.resource}`;
        if (!preferred.has(key)) preferred.set(key, kind);
      }
  }
  return {
    kinds: [...preferred.values()].sort((a, b) => compare(a.group, b.group) || compare(a.resource, b.resource)),
    failed: failed.sort((a, b) => compare(a.group_version, b.group_version)),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * `v1.34.1`, as the API server says; `unknown` where its administrators keep that to themselves.
 * @throws {BylawError} as `Transport.get`; `not-an-api-server`
 */
export async function serverVersion(transport: Transport): Promise<string> {
  const answer = await transport.get('/version');
  if (answer.status === 403) return 'unknown';
  const version = asText(documentOf(transport, answer).gitVersion);
  return version !== undefined && /^[\w.+-]{1,100}$/.test(version) ? version : 'unknown';
}
