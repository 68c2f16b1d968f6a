import {
  type AccessAnswer,
  type AccessGraph,
  type AccessPath,
  type AccessSubject,
  type Binding,
  type Place,
  policyRule,
  type RoleName,
} from '@bylaw/core/access';
import type { InputError } from '@bylaw/core/errors';
import type { Note } from '@bylaw/core/note';

/** The question as it was understood. Members in the order of the JSON. */
export type Question =
  | { verb: string; group: string; resource: string; name: string | null; namespace: string | null }
  | { verb: string; url: string };

interface JsonObjectName {
  kind: string;
  namespace: string | null;
  name: string;
  location: Place | null;
}

/** One path from a subject to what was asked for. */
export interface JsonPath {
  /** Where the access holds; null: in all namespaces, and on what belongs to the cluster. */
  namespace: string | null;
  binding: JsonObjectName;
  role: JsonObjectName & { built_in: boolean };
  /** The rule that allows it. `role` is the one that it is written in, which is another one if the role aggregates others. */
  rule: {
    role: string;
    index: number;
    location: Place | null;
    verbs: readonly string[];
    apiGroups: readonly string[];
    resources: readonly string[];
    resourceNames: readonly string[];
    nonResourceURLs: readonly string[];
  };
}

/** The answer of `bylaw who-can`, the same for people and as JSON. */
export interface WhoCan {
  question: Question;
  subjects: { kind: AccessSubject['kind']; namespace: string | null; name: string; paths: JsonPath[] }[];
  /** Bindings that may grant it too: their role is not known. */
  undecided: {
    binding: JsonObjectName;
    subjects: { kind: AccessSubject['kind']; namespace: string | null; name: string }[];
    message: string;
  }[];
  /** What the answer rests on. */
  read: { roles: number; bindings: number; cluster: boolean };
  errors: readonly InputError[];
  notes: readonly Note[];
}

/** Puts an answer into the form of the command. */
export function whoCanAnswer(
  question: Question,
  { subjects, undecided }: AccessAnswer,
  { counts }: AccessGraph,
  rest: Pick<WhoCan, 'errors' | 'notes'> & { cluster: boolean },
): WhoCan {
  return {
    question,
    subjects: subjects.map(({ subject, paths }) => ({ ...subjectOf(subject), paths: paths.map(pathOf) })),
    undecided: undecided.map(({ binding, message }) => ({
      binding: nameOf(binding, binding.place),
      subjects: binding.subjects.map(subjectOf),
      message,
    })),
    read: { roles: counts.roles, bindings: counts.bindings, cluster: rest.cluster },
    errors: rest.errors,
    notes: rest.notes,
  };
}

function subjectOf({ kind, namespace, name }: AccessSubject) {
  return { kind, namespace: namespace ?? null, name };
}

function pathOf({ binding, role, rule }: AccessPath): JsonPath {
  return {
    namespace: binding.namespace || null,
    binding: nameOf(binding, binding.place),
    role: { ...nameOf(role, role.place), built_in: role.builtIn },
    rule: { role: rule.role.name, index: rule.index, location: rule.place ?? null, ...policyRule(rule.value) },
  };
}

function nameOf({ kind, namespace, name }: Binding | RoleName, place: Place | undefined): JsonObjectName {
  return { kind, namespace: namespace || null, name, location: place ?? null };
}
