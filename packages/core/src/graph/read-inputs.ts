import { type AnyInput, items, readItem, type UnchangedObjects } from '../evaluate/index.js';
import { contentKey } from '../evaluate/items/unchanged.js';
import type { Resource } from '../resource/index.js';
import type { RunGraph } from './run-graph.js';

/** The inputs of a run: what it evaluates, and what it only knows about. */
export interface GraphInputs {
  inputs: readonly AnyInput[];
  /** All inputs, if not all of them are evaluated. */
  setInputs?: readonly AnyInput[];
  /** Objects of `inputs` that are not evaluated. */
  unchanged?: UnchangedObjects;
}

/** Adds all resources of the inputs. What cannot be read is reported by the run itself, which reads the inputs again. */
export async function addInputs(graph: RunGraph, { inputs, setInputs = inputs, unchanged }: GraphInputs): Promise<void> {
  const evaluated = new Set(inputs);
  for await (const item of items(inputs))
    for (const resource of readItem(item).resources) graph.add(resource, !isUnchanged(resource, unchanged));
  for await (const item of items(setInputs.filter((input) => !evaluated.has(input))))
    for (const resource of readItem(item).resources) graph.add(resource, false);
}

/** What was rendered may bear the name of a file. */
function isUnchanged(resource: Resource, unchanged: UnchangedObjects | undefined): boolean {
  const { file, rendered } = resource.source;
  const known = rendered === undefined ? unchanged?.get(file) : undefined;
  return known?.has(contentKey(resource)) ?? false;
}
