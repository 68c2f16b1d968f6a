import type { AccessObject } from '@bylaw/core/access';
import type { InputError } from '@bylaw/core/errors';
import { type AnyInput, accessObject, items, readItem, SkippedFiles } from '@bylaw/core/evaluate';
import type { Note } from '@bylaw/core/note';
import { isObject, type JsonValue, type Resource, readObject } from '@bylaw/core/resource';
import type { Cluster, ServedKind } from '../cluster/index.js';
import { checkNamespaces, type Gaps, gapErrors, listKinds } from '../scan/index.js';
import type { KnownResource } from './asked-resource.js';
import { BUILT_IN_RESOURCES } from './built-in-resources.js';

/** What was read to answer from. */
export interface AccessInput {
  readonly objects: readonly AccessObject[];
  /** The resources whose names are known. */
  readonly resources: readonly KnownResource[];
  /** Whether these are all roles that the cluster has. */
  readonly complete: boolean;
  /** What could not be read. */
  readonly errors: readonly InputError[];
  /** What was left out. */
  readonly notes: readonly Note[];
}

/** Reads the roles and bindings of manifests, and the names of the custom resources that these define. */
export async function accessOfInputs(inputs: readonly AnyInput[]): Promise<AccessInput> {
  const objects: AccessObject[] = [];
  const resources: KnownResource[] = [];
  const errors: InputError[] = [];
  const skipped = new SkippedFiles();
  for await (const item of items(inputs)) {
    const read = readItem(item);
    const found = read.resources.flatMap((resource) => accessObject(resource) ?? []);
    // A wrong field of a Pod changes nothing about who can do what.
    if (read.resources.length === 0 || found.length > 0) errors.push(...read.errors);
    if (item.type === 'text') skipped.add(read.skipped.map((what) => ({ file: item.document.file, what })));
    objects.push(...found);
    resources.push(...read.resources.flatMap(customResource));
  }
  return { objects, resources: [...resources, ...BUILT_IN_RESOURCES], complete: false, errors, notes: skipped.notes() };
}

/**
 * Reads the roles and bindings of a cluster.
 * @param namespace of the bindings and Roles; absent: all
 * @throws {BylawError} `namespace-unknown`, and what `Cluster` throws
 */
export async function accessOfCluster(cluster: Cluster, namespace?: string): Promise<AccessInput> {
  const discovery = await cluster.discover();
  const scope = namespace === undefined ? {} : { namespaces: [namespace] };
  await checkNamespaces(scope.namespaces, discovery, cluster);
  const kinds = discovery.kinds
    .filter(({ group, kind }) => group === 'rbac.authorization.k8s.io' && RBAC_KINDS.includes(kind))
    .map((served) => ({ name: served.kind, served }));
  const gaps: Gaps = { denied: new Map(), lost: undefined };
  const objects: AccessObject[] = [];
  for await (const page of listKinds(kinds, scope, cluster, gaps))
    for (const object of page.objects)
      for (const resource of readObject(object, { file: '', document: 0, served: true }).resources) {
        const access = accessObject({ ...resource, live: true });
        if (access) objects.push(access);
      }
  if (gaps.lost) throw gaps.lost.error;
  const denied = [...gaps.denied].map(([kind, reason]) => ({ kind, reason }));
  return {
    objects,
    resources: [...discovery.kinds.map(servedResource), ...BUILT_IN_RESOURCES],
    complete: denied.length === 0,
    errors: gapErrors(denied),
    notes: [],
  };
}

const RBAC_KINDS: readonly string[] = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

function servedResource({ group, resource, kind, namespaced }: ServedKind): KnownResource {
  return { group, resource, kind, namespaced, shortNames: [] };
}

/** The resource that a CustomResourceDefinition adds. */
function customResource({ kind, object }: Resource): KnownResource[] {
  const spec = kind === 'CustomResourceDefinition' ? object['spec'] : undefined;
  const names = isObject(spec) ? spec['names'] : undefined;
  if (!isObject(spec) || !isObject(names)) return [];
  const shortNames = Array.isArray(names['shortNames']) ? names['shortNames'].filter((name) => typeof name === 'string') : [];
  const [group, resource] = [textOf(spec['group']), textOf(names['plural'])];
  if (group === '' || resource === '') return [];
  return [{ group, resource, kind: textOf(names['kind']), namespaced: spec['scope'] !== 'Cluster', shortNames }];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
