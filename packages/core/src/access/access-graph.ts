import { UnknownError } from '../undecided.js';
import { builtInRoles } from './built-in-roles.js';
import { memberOf, policyRule, textMember } from './policy-rule.js';
import { type AccessObject, objectName, type Place, type Role, type RoleName, type RoleRule, roleOf } from './role.js';
import { type AccessSubject, groupsOfAccounts, subjectsOf } from './subject.js';

/** A RoleBinding or ClusterRoleBinding. */
export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  /** The namespace in which it grants its role; empty for a ClusterRoleBinding, which grants it everywhere. */
  readonly namespace: string;
  readonly name: string;
  readonly place: Place | undefined;
  readonly subjects: readonly AccessSubject[];
  readonly role: RoleName;
}

/** What a binding grants, or why that is not known. */
export type Grant =
  | { readonly status: 'known'; readonly role: Role; readonly rules: readonly RoleRule[] }
  | { readonly status: 'unknown'; readonly message: string }
  /** The input is complete, and has no such role: the binding grants nothing. */
  | { readonly status: 'missing' };

export interface AccessOptions {
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** Whether the input holds all roles of the cluster. */
  readonly complete?: boolean;
  /** Whether a label selector selects the labels, see `selects` of the expression language. */
  readonly selects: (selector: unknown, labels: ReadonlyMap<string, unknown>) => boolean;
  /** Told how many objects an answer takes to find, the same number for the same answer: so a caller can bound the work. */
  readonly onSearch?: (count: number) => void;
}

/** The RBAC objects of one cluster: who is bound to which role, and what each role grants. Built in one pass; look-ups are by index. */
export class AccessGraph {
  readonly bindings: readonly Binding[];
  /** How many of each kind were given. */
  readonly counts: { readonly roles: number; readonly bindings: number };
  readonly #options: AccessOptions;
  readonly #roles = new Map<string, Role>();
  /** Bindings by each subject that they name. */
  readonly #bySubject = new Map<string, Binding[]>();
  readonly #grants = new Map<string, FoundGrant>();
  /** Roles by the text of a selector. */
  readonly #selected = new Map<string, readonly Role[]>();
  readonly #texts = new WeakMap<RoleRule, string>();
  #clusterRoles: readonly Role[] | undefined;

  constructor(objects: Iterable<AccessObject>, options: AccessOptions) {
    this.#options = options;
    const bindings: Binding[] = [];
    let roles = 0;
    for (const object of objects) {
      // A reader of other formats may not know what an object holds: then the role is not known, and the binding says nothing about anybody.
      const role = ifKnown(() => roleOf(object, options.namespace));
      const binding = ifKnown(() => bindingOf(object, options.namespace));
      if (role) roles++;
      if (role && !this.#roles.has(objectName(role))) this.#roles.set(objectName(role), role);
      if (binding) bindings.push(binding);
    }
    for (const role of builtInRoles()) if (!this.#roles.has(objectName(role))) this.#roles.set(objectName(role), role);
    for (const binding of bindings)
      for (const key of new Set(binding.subjects.map(subjectKey))) {
        const known = this.#bySubject.get(key);
        if (known) known.push(binding);
        else this.#bySubject.set(key, [binding]);
      }
    this.bindings = bindings;
    this.counts = { roles, bindings: bindings.length };
  }

  /** The bindings whose subjects include a ServiceAccount: by its name (`direct`), or as a member of a `system:` group. */
  bindingsOfAccount(namespace: string, name: string): { binding: Binding; direct: boolean }[] {
    const own: AccessSubject = { kind: 'ServiceAccount', namespace: namespace || this.#options.namespace, name };
    const direct = this.#bySubject.get(subjectKey(own)) ?? [];
    const groups = groupsOfAccounts(own.namespace ?? '').flatMap(
      (group) => this.#bySubject.get(subjectKey({ kind: 'Group', name: group })) ?? [],
    );
    const others = new Set(groups).difference(new Set(direct));
    this.#options.onSearch?.(direct.length + groups.length);
    return [...direct.map((binding) => ({ binding, direct: true })), ...[...others].map((binding) => ({ binding, direct: false }))];
  }

  /**
   * The rules that a role has, those that it aggregates included. A role that is neither in the input nor built in is unknown, and so is an
   * aggregated role of which the input has no part.
   */
  grantOf(name: RoleName): Grant {
    const key = objectName(name);
    const known = this.#grants.get(key);
    const { grant, searched } = known ?? this.#find(key);
    if (!known && this.#grants.size < MAX_REMEMBERED) this.#grants.set(key, { grant, searched });
    this.#options.onSearch?.(searched);
    return grant;
  }

  #find(key: string): FoundGrant {
    const role = this.#roles.get(key);
    if (role === undefined) return { grant: this.#unknown(`${key} is not in the input.`), searched: 0 };
    if (role.aggregates === undefined) return { grant: { status: 'known', role, rules: role.rules }, searched: 0 };
    const { reached, searched } = this.#reached(role);
    if (searched > MAX_SEARCHED) return { grant: { status: 'unknown', message: `${key} aggregates too many roles.` }, searched };
    return { grant: this.#union(role, reached), searched };
  }

  #union(role: Role, reached: ReadonlySet<Role>): Grant {
    const rules = new Map<string, RoleRule>();
    for (const one of reached)
      for (const rule of one.rules) {
        const text = this.#textOf(rule);
        if (!rules.has(text)) rules.set(text, rule);
      }
    if (rules.size === 0 && !role.builtIn) return this.#unknown(`The roles that ${objectName(role)} aggregates are not in the input.`);
    return { status: 'known', role, rules: [...rules.values()] };
  }

  /** The role, the roles that it aggregates, those that these aggregate, and so on, until too many were searched. */
  #reached(role: Role): { reached: ReadonlySet<Role>; searched: number } {
    const reached = new Set([role]);
    const expanded = new Set<string>();
    let searched = 0;
    // A set also gives what is added while it is walked.
    for (const one of reached)
      for (const selector of one.aggregates ?? []) {
        const key = JSON.stringify(selector) ?? '';
        if (expanded.has(key)) continue;
        expanded.add(key);
        const selected = this.#selectedBy(key, selector);
        searched += this.#roles.size + selected.length;
        if (searched > MAX_SEARCHED) return { reached, searched };
        for (const other of selected) reached.add(other);
      }
    return { reached, searched };
  }

  #unknown(message: string): Grant {
    return this.#options.complete ? { status: 'missing' } : { status: 'unknown', message };
  }

  #selectedBy(key: string, selector: unknown): readonly Role[] {
    const known = this.#selected.get(key);
    if (known) return known;
    this.#clusterRoles ??= [...this.#roles.values()].filter(({ kind }) => kind === 'ClusterRole');
    const selected = this.#clusterRoles.filter(({ labels }) => this.#options.selects(selector, entriesOf(labels)));
    this.#selected.set(key, selected);
    return selected;
  }

  #textOf(rule: RoleRule): string {
    const known = this.#texts.get(rule);
    if (known !== undefined) return known;
    const text = JSON.stringify(policyRule(rule.value));
    this.#texts.set(rule, text);
    return text;
  }
}

interface FoundGrant {
  readonly grant: Grant;
  /** Roles that were searched for it. */
  readonly searched: number;
}

/** Of the search for what one role aggregates: hundreds of roles that each aggregate hundreds of others. */
const MAX_SEARCHED = 1_000_000;

/** Of roles, whose rules may be those of all others. */
const MAX_REMEMBERED = 1000;

/**
 * The binding in an object; undefined for any other object, and for a binding to nothing.
 * @param namespace of objects that name none
 * @throws {UnknownError} if something in it is not known
 */
export function bindingOf({ kind, value, place }: AccessObject, namespace: string): Binding | undefined {
  if (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding') return undefined;
  const metadata = memberOf(value, 'metadata');
  const own = kind === 'RoleBinding' ? textMember(metadata, 'namespace') || namespace : '';
  const reference = memberOf(value, 'roleRef');
  const roleKind = textMember(reference, 'kind');
  const name = textMember(reference, 'name');
  // A ClusterRoleBinding can only refer to a ClusterRole.
  if (name === '' || (roleKind !== 'ClusterRole' && (roleKind !== 'Role' || kind === 'ClusterRoleBinding'))) return undefined;
  return {
    kind,
    namespace: own,
    name: textMember(metadata, 'name'),
    place,
    subjects: subjectsOf(value, own),
    role: { kind: roleKind, namespace: roleKind === 'Role' ? own : '', name },
  };
}

function ifKnown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownError) return undefined;
    throw error;
  }
}

function subjectKey({ kind, namespace, name }: AccessSubject): string {
  return `${kind}\n${namespace ?? ''}\n${name}`;
}

function entriesOf(labels: unknown): ReadonlyMap<string, unknown> {
  if (labels instanceof Map) return labels;
  return new Map(typeof labels === 'object' && labels !== null ? Object.entries(labels) : []);
}
