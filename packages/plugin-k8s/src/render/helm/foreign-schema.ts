import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether a schema of a chart may take its words from elsewhere: Helm reads the files and addresses that a `$ref` names, and repeats what they demand
 * of the values. Schemas in packed charts are not looked into.
 * @param chart folder of a staged chart
 * @param files relative to it
 */
export async function hasForeignSchema(chart: string, files: readonly string[]): Promise<boolean> {
  if (files.some((file) => /\.(?:tgz|tar\.gz)$/.test(file))) return true;
  for (const file of files.filter((name) => /(?:^|\/)values\.schema\.json$/.test(name)))
    if (refersElsewhere(await readFile(join(chart, file), 'utf8'))) return true;
  return false;
}

function refersElsewhere(text: string): boolean {
  try {
    const queue: unknown[] = [JSON.parse(text)];
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      if (typeof value !== 'object' || value === null) continue;
      for (const [key, member] of Object.entries(value)) {
        if (REFERENCES.has(key) && !isOwn(member)) return true;
        if (typeof member === 'object') queue.push(member);
      }
    }
    return false;
  } catch {
    return true;
  }
}

const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);

/** A place in the same schema, or one of the standard's own. */
function isOwn(reference: unknown): boolean {
  return typeof reference === 'string' && /^(?:#|https?:\/\/json-schema\.org\/)/.test(reference);
}
