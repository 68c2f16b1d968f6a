import type { GroupReader, ReadResource } from './input/input.js';
import { splitDocuments } from './input/split.js';
import type { Resource } from './resource.js';
import { noteShadowed } from './yaml/cel-form.js';
import { isInputError } from './yaml/source-document.js';

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
