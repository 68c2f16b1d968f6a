/**
 * The set of resources of a run, as the scope variable `resources` of a rule that looks at more than its own object.
 * The engine implements it over indexes; expressions call `resources.ofKind(kind)` and `resources.lookup(kind, ns, name)`.
 */
export abstract class ResourceSet {
  constructor() {
    // The library knows a type by the constructor of its values, and so would not recognise a subclass.
    Object.defineProperty(this, 'constructor', { value: ResourceSet });
  }

  /** All resources of a kind (`Namespace`, `group/Kind`) in input order; empty for a kind that no rule projects. */
  abstract ofKind(kind: string): readonly unknown[];

  /** The resource of that name; the namespace is empty for cluster-scoped kinds. */
  abstract lookup(kind: string, namespace: string, name: string): unknown;
}
