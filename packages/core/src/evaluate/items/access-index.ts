import {
  AccessGraph,
  type AccessObject,
  type Binding,
  bindingOf,
  describeRule,
  type Grant,
  objectName,
  type Place,
  placeText,
  policyRule,
  type RoleRule,
} from '../../access/index.js';
import { isMap, member, selects, spendOnSearchedSet } from '../../cel/index.js';
import { plural } from '../../plural.js';
import { shorten } from '../../printable.js';
import { builtinGroup, type Resource } from '../../resource/index.js';
import { raiseUnknown } from '../../undecided.js';

/** The kinds that RBAC is evaluated over. */
export const ACCESS_KINDS = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** Where a role or binding is in a file, and each of its rules. Plain JSON. */
export interface AccessPlaces {
  place: Place;
  rulePlaces: Place[];
}

/** The places of a role or binding, as a member of its projection; none for other kinds, and for what did not come from a file. */
export function accessPlaces(resource: Resource): { places?: AccessPlaces } {
  const { kind, source, object } = resource;
  if (!ACCESS_KINDS.includes(kind) || resource.live || source.line === 0) return {};
  const placeOf = (pointer: string): Place => ({ file: source.file, line: resource.position(pointer).line });
  const rules = kind.endsWith('Binding') ? undefined : object['rules'];
  return { places: { place: placeOf(''), rulePlaces: Array.isArray(rules) ? rules.map((_, index) => placeOf(`/rules/${index}`)) : [] } };
}

/** A role or binding with its places, as RBAC is evaluated over it; undefined for a resource of another kind. */
export function accessObject(resource: Resource): AccessObject | undefined {
  if (!ACCESS_KINDS.includes(resource.kind) || !builtinGroup(resource.apiVersion)) return undefined;
  return { kind: resource.kind, value: resource.object, ...accessPlaces(resource).places };
}

/** RBAC of the set, in the form that rules see. */
export class AccessIndex {
  readonly #graph: AccessGraph;
  readonly #rules = new WeakMap<Grant, readonly unknown[]>();

  constructor(
    objects: Iterable<AccessObject>,
    private readonly options: { readonly namespace: string; readonly complete: boolean },
  ) {
    this.#graph = new AccessGraph(objects, { ...options, selects, onSearch: spendOnSearchedSet });
  }

  /** See `ResourceSet`. */
  boundRules(value: unknown): readonly unknown[] {
    const binding = this.#bindingIn(value);
    if (binding === undefined) return [];
    const grant = this.#graph.grantOf(binding.role);
    if (grant.status === 'unknown') raiseUnknown({ reason: 'outside-input', message: grant.message });
    return grant.status === 'missing' ? [] : grant.rules.map(({ value: rule }) => rule);
  }

  /** See `ResourceSet`. */
  grantText(value: unknown): string {
    const binding = this.#bindingIn(value);
    const grant = binding && this.#graph.grantOf(binding.role);
    if (grant?.status !== 'known' || grant.role.builtIn || grant.rules.length === 0) return '';
    const shown = grant.rules.slice(0, MAX_RULES).map(ruleText);
    const more = grant.rules.length - shown.length;
    return `, which allows ${shorten(shown.join('; '), MAX_TEXT)}${more > 0 ? `; ${plural(more, 'more rule')}` : ''}`;
  }

  /** See `ResourceSet`. What roles grant is looked up when it is read. */
  accountBindings(namespace: string, name: string): readonly unknown[] {
    return this.#graph.bindingsOfAccount(namespace, name).map(({ binding, direct }) => {
      const { kind, namespace: own, name: bound, role, place } = binding;
      const grantOf = () => this.#graph.grantOf(role);
      const rulesOf = (grant: Grant) => this.#rulesOf(grant);
      return {
        kind,
        namespace: own,
        name: bound,
        direct,
        clusterWide: kind === 'ClusterRoleBinding',
        text: `${placed(objectName(binding), place)} to ${objectName(role)}`,
        role: { kind: role.kind, name: role.name },
        get known() {
          return grantOf().status !== 'unknown';
        },
        get rules() {
          return rulesOf(grantOf());
        },
      };
    });
  }

  /** @throws {UnknownError} */
  #rulesOf(grant: Grant): readonly unknown[] {
    if (grant.status === 'unknown') raiseUnknown({ reason: 'outside-input', message: grant.message });
    if (grant.status === 'missing') return [];
    spendOnSearchedSet(grant.rules.length);
    const known = this.#rules.get(grant);
    if (known) return known;
    const rules = grant.rules.map((rule) => ({ ...policyRule(rule.value), text: ruleText(rule) }));
    this.#rules.set(grant, rules);
    return rules;
  }

  #bindingIn(value: unknown): Binding | undefined {
    const kind = isMap(value) ? member(value, 'kind') : undefined;
    return typeof kind === 'string' ? bindingOf({ kind, value }, this.options.namespace) : undefined;
  }
}

/** Of a role, in a message, and the characters of their texts. */
const MAX_RULES = 5;
const MAX_TEXT = 1000;

function ruleText({ value, place }: RoleRule): string {
  return placed(describeRule(policyRule(value)), place);
}

function placed(text: string, place: Place | undefined): string {
  return place === undefined ? text : `${text} (${placeText(place)})`;
}
