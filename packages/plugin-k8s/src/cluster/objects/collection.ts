import { ListDenied, type ServedKind } from '../cluster.js';

/** The path under which an API server keeps the objects of a kind: of all namespaces, or of one. @throws {ListDenied} */
export function collectionPath({ group, version, resource, namespaced }: ServedKind, namespace: string | undefined): string {
  const root = group === '' ? `/api/${part(version)}` : `/apis/${part(group)}/${part(version)}`;
  return `${root}${namespaced && namespace !== undefined ? `/namespaces/${part(namespace)}` : ''}/${part(resource)}`;
}

/** Names come from users and servers; none of them may lead elsewhere, not even where a proxy reads the path in its own way. */
function part(name: string): string {
  if (name === '.' || name === '..') throw new ListDenied('a name in a cluster cannot consist of dots only');
  return encodeURIComponent(name);
}

export function apiVersionOf({ group, version }: ServedKind): string {
  return group === '' ? version : `${group}/${version}`;
}
