import type { Resource } from '../../resource/index.js';
import { type AnyInput, items } from '../items/batches.js';
import { readItem } from '../items/read-item.js';
import { exceptionKey } from './accepted-exceptions.js';
import { ownExceptions } from './exceptions.js';

/** The keys of the exceptions that are written on a resource with a reason. */
export function exceptionKeys(resource: Resource): string[] {
  const annotated = [...ownExceptions(resource).annotations.keys()].map((ruleId) => exceptionKey(resource, 'annotation', ruleId, ''));
  const commented = (resource.ignoreComments ?? [])
    .filter(({ reason }) => reason !== '')
    .map(({ ruleId, pointer }) => exceptionKey(resource, 'comment', ruleId, pointer));
  return [...annotated, ...commented];
}

/** The keys of all objects of an input. What cannot be read does not have any. */
export async function exceptionKeysOf(input: AnyInput): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const item of items([input]))
    for (const resource of readItem(item).resources) for (const key of exceptionKeys(resource)) keys.add(key);
  return keys;
}
