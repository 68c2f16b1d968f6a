import { groupOf } from './builtin-group.js';
import { KINDS } from './data/kubernetes-shapes.js';

/** The groups in which the API server itself serves a kind, the core group as an empty text; none for any other kind. Kubernetes 1.36. */
export function groupsOfBuiltin(kind: string): readonly string[] {
  return groups().get(kind) ?? [];
}

/** The kinds that the API server itself serves, in the order of the alphabet. */
export function builtinKinds(): readonly string[] {
  sorted ??= [...groups().keys()].sort();
  return sorted;
}

let sorted: readonly string[] | undefined;

let known: Map<string, string[]> | undefined;

function groups(): Map<string, string[]> {
  known ??= groupsByKind();
  return known;
}

function groupsByKind(): Map<string, string[]> {
  const byKind = new Map<string, string[]>();
  for (const name of Object.keys(KINDS)) {
    const slash = name.lastIndexOf('/');
    const kind = name.slice(slash + 1);
    const group = groupOf(name.slice(0, slash));
    const list = byKind.get(kind) ?? [];
    if (!list.includes(group)) byKind.set(kind, [...list, group].sort());
  }
  return byKind;
}
