import { type AnyInput, items } from './batches.js';
import { readItem } from './read-item.js';
import { contentKey } from './unchanged.js';

/** The keys of all objects of an input. What cannot be read has none. */
export async function contentKeys(input: AnyInput): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const item of items([input])) for (const resource of readItem(item).resources) keys.add(contentKey(resource));
  return keys;
}
