import { createHash } from 'node:crypto';
import type { Resource } from '../../resource/resource.js';
import { type AnyInput, items } from './batches.js';
import { readItem } from './read-item.js';

/** Objects that a run leaves out because they have not changed: their `contentKey`s, by the file of the input. Rules that look at the whole set see them. */
export type UnchangedObjects = ReadonlyMap<string, ReadonlySet<string>>;

/** The same for two objects only if they are equal, with the exceptions in their comments, wherever in a file they are and however they are written. */
export function contentKey({ apiVersion, kind, namespace, name, object, unknown, ignoreComments = [] }: Resource): string {
  const comments = ignoreComments.map(({ ruleId, reason, pointer }) => [ruleId, reason, pointer]);
  const content = [apiVersion, kind, namespace, name, object, comments, ...(unknown ?? [])];
  return createHash('sha256').update(JSON.stringify(content, sorted)).digest('base64');
}

/** Members in the order of their names. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The keys of all objects of an input. What cannot be read does not have any. */
export async function contentKeys(input: AnyInput): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const item of items([input])) for (const resource of readItem(item).resources) keys.add(contentKey(resource));
  return keys;
}
