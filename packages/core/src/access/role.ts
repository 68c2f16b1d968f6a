import { listMember, memberOf, textMember } from './policy-rule.js';

/** A line of a file. */
export interface Place {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** A Role, ClusterRole, RoleBinding or ClusterRoleBinding of the input, and where it is. */
export interface AccessObject {
  readonly kind: string;
  readonly value: unknown;
  /** Absent for what has no place in a file. */
  readonly place?: Place | undefined;
  /** Of each of its `rules`. */
  readonly rulePlaces?: readonly Place[] | undefined;
}

export interface RoleName {
  readonly kind: 'Role' | 'ClusterRole';
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
}

/** A rule, and the role that it is written in: a role that aggregates others has the rules of those. */
export interface RoleRule {
  /** See `policyRule`. */
  readonly value: unknown;
  /** Position in the list of that role, from 0. */
  readonly index: number;
  readonly role: Role;
  readonly place: Place | undefined;
}

export interface Role extends RoleName {
  /** Whether it is a role that the API server creates, as it was when this release was built. */
  readonly builtIn: boolean;
  readonly place: Place | undefined;
  readonly labels: unknown;
  /** The label selectors of an aggregated ClusterRole; undefined for any other role. */
  readonly aggregates: readonly unknown[] | undefined;
  readonly rules: readonly RoleRule[];
}

/** The role in an object. @param namespace of objects that name none */
export function roleOf({ kind, value, place, rulePlaces }: AccessObject, namespace: string): Role | undefined {
  if (kind !== 'Role' && kind !== 'ClusterRole') return undefined;
  const metadata = memberOf(value, 'metadata');
  const rules: RoleRule[] = [];
  const role: Role = {
    kind,
    namespace: kind === 'Role' ? textMember(metadata, 'namespace') || namespace : '',
    name: textMember(metadata, 'name'),
    builtIn: false,
    place,
    labels: memberOf(metadata, 'labels'),
    aggregates: kind === 'ClusterRole' ? selectorsOf(value) : undefined,
    rules,
  };
  for (const [index, rule] of listMember(value, 'rules').entries()) rules.push({ value: rule, index, role, place: rulePlaces?.[index] });
  return role;
}

function selectorsOf(value: unknown): readonly unknown[] | undefined {
  const aggregation = memberOf(value, 'aggregationRule');
  return aggregation === undefined ? undefined : listMember(aggregation, 'clusterRoleSelectors');
}

/** `ClusterRole admin`, `Role shop/web`. */
export function objectName({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** `rbac.yaml:12`; empty for what has no place. */
export function placeText(place: Place | undefined): string {
  return place === undefined ? '' : `${place.file}:${place.line}`;
}
