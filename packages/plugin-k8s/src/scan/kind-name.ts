import { builtinGroup, POD_KINDS } from '@bylaw/core/resource';
import { kindName } from '@bylaw/core/rule';
import type { ServedKind } from '../cluster/cluster.js';

/** The name by which rules and reports call a kind: `Deployment` where the API server itself serves the group, else `group/Kind`. */
export function nameOfKind(kind: Pick<ServedKind, 'group' | 'version' | 'kind'>): string {
  return nameOf(apiVersionOf(kind), kind.kind);
}

/** The same, of an object or a reference to one. */
export function nameOf(apiVersion: string, kind: string): string {
  return kindName(apiVersion, kind, builtinGroup(apiVersion));
}

export function apiVersionOf({ group, version }: Pick<ServedKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The kinds that are Pods, or carry the template of one: what rules mean by `PodSpec`. */
export const POD_CARRIERS: readonly string[] = [...POD_KINDS, 'apps.openshift.io/DeploymentConfig'];
