import type { InputError } from '../errors.js';
import type { UnknownValue } from '../undecided.js';
import { noteShadowed } from './cel-form.js';
import type { Input, OpenOptions } from './input.js';
import type { JsonObject, Position, Resource, SourceDocument, TerraformFacts } from './resource.js';
import { isInputError, splitDocuments } from './split.js';

/**
 * Makes resources of files that belong together, such as the files of a root module. Each resource says to which group it belongs; rules that look at the
 * set see only the resources of the same group.
 */
export interface GroupReader {
  /** Short name, such as `terraform`. */
  readonly name: string;
  /** Whether it reads a file of this name. The first reader that does reads the file; what none recognises is read as Kubernetes manifests. */
  recognises(file: string): boolean;
  /**
   * Reads all files of a run that it recognises, in any order that is the same for the same files. It may be called more than once. What is wrong with a
   * file is a part of the type `error`, and everything else is still read: it throws only for defects. Files are input of strangers: a reader limits what
   * it reads, and opens nothing but what it is given.
   */
  read(files: readonly Input[], options?: OpenOptions): AsyncIterable<ReaderPart>;
}

/** What a reader gives: resources, documents of YAML or JSON that hold manifests, and errors. All of it is plain data, which can be sent to a thread. */
export type ReaderPart =
  | { type: 'resource'; resource: ReadResource }
  | { type: 'text'; document: SourceDocument; explicit: boolean }
  | { type: 'error'; error: InputError };

/** A resource as a reader gives it. */
export interface ReadResource extends Pick<Resource, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  /** JSON without members that are null. */
  object: JsonObject;
  group: string;
  file: string;
  /** Where the resource begins. */
  position: Position;
  /** The places of values in it, by JSON Pointer. A value without a place has that of what holds it. */
  positions?: { readonly [pointer: string]: Position };
  unknown?: readonly UnknownValue[];
  terraform?: TerraformFacts;
}

/** Reads manifests of Kubernetes and plans of Terraform, file by file. All manifests of a run belong to one cluster, and each plan is a group. */
export const kubernetesReader: GroupReader = {
  name: 'kubernetes',
  recognises: () => true,
  async *read(files, options) {
    for (const file of files)
      for await (const part of splitDocuments(file, options))
        yield isInputError(part) ? { type: 'error', error: part } : { type: 'text', document: part, explicit: file.explicit ?? true };
  },
};

/** The input with the reader that recognises its name, if one does. */
export function withReader<I extends Input>(input: I, readers: readonly GroupReader[]): I {
  const reader = input.rendered === undefined ? readers.find((one) => one.recognises(input.file)) : undefined;
  return reader === undefined ? input : { ...input, reader };
}

/** The resource that a reader gave, with a look-up of places. */
export function resourceOf({ file, position: start, positions = {}, ...resource }: ReadResource): Resource {
  noteShadowed(resource.object);
  return {
    ...resource,
    source: { file, document: 0, ...start },
    position: (pointer) => {
      for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
        const found = Object.hasOwn(positions, at) ? positions[at] : undefined;
        if (found) return found;
        if (!at.includes('/')) break;
      }
      return start;
    },
  };
}

/** Loads the modules of readers, each with a reader as its default export. */
export async function loadReaders(modules: readonly string[]): Promise<GroupReader[]> {
  return Promise.all(modules.map(async (module) => ((await import(module)) as { default: GroupReader }).default)); // the contract of plugins
}
