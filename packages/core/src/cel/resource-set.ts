/**
 * The set of resources of a run, as the scope variable `resources` of a rule that looks at more than its own object. The engine implements it over
 * indexes: no method looks at every resource of a large set to find a few. Every list is in the order of the input. An empty namespace means the one of
 * objects that name none; objects of cluster-scoped kinds are there.
 */
export abstract class ResourceSet {
  constructor() {
    // The library knows a type by the constructor of its values, and so would not recognise a subclass.
    Object.defineProperty(this, 'constructor', { value: ResourceSet });
  }

  /** Whether the input holds everything that is in the cluster. */
  abstract readonly complete: boolean;

  /** All resources of a kind (`Namespace`, `group/Kind`, `PodSpec`); empty for a kind that no rule projects. */
  abstract ofKind(kind: string): readonly unknown[];

  /** Those of them that are in a namespace. */
  abstract inNamespace(kind: string, namespace: string): readonly unknown[];

  /** Those of a namespace that have this text at a JSON Pointer, in which `*` stands for every item of a list. */
  abstract having(kind: string, namespace: string, pointer: string, text: string): readonly unknown[];

  /** The same in all namespaces. */
  abstract across(kind: string, pointer: string, text: string): readonly unknown[];

  /** Those of a namespace whose `metadata.labels` a label selector selects. An absent selector selects none. */
  abstract selected(kind: string, namespace: string, selector: unknown): readonly unknown[];

  /** Those of a namespace whose own selector, the member of `spec` with this name, selects the labels. */
  abstract selecting(kind: string, namespace: string, member: string, labels: unknown): readonly unknown[];

  /** The resource of that name. */
  abstract lookup(kind: string, namespace: string, name: string): unknown;

  /** Whether one file, or one rendering, defines the resource of that name more than once. */
  abstract repeated(kind: string, namespace: string, name: string): boolean;

  /** The rules that a RoleBinding or ClusterRoleBinding grants. @throws {UnknownError} where its role is not known */
  abstract boundRules(binding: unknown): readonly unknown[];

  /** The same as the end of a message; empty where the input does not have the role. */
  abstract grantText(binding: unknown): string;

  /** The bindings of a ServiceAccount. */
  abstract accountBindings(namespace: string, name: string): readonly unknown[];
}
