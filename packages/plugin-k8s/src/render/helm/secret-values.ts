import { readFile } from 'node:fs/promises';
import { isObject, type JsonValue, parseDocuments } from '@bylaw/core/resource';

/** Keys whose values are likely to be secrets. */
const SECRET_KEY = /pass|secret|token|credential|private|api_?key|auth/i;

/** Values given to a chart that its errors must not repeat: all of `--set`, and in files those under keys that sound like secrets. */
export async function secretValues(set: readonly string[], files: readonly string[]): Promise<string[]> {
  const given = set.flatMap((entry) => entry.split(/(?<!\\),/)).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const inFiles = await Promise.all(files.map(secretsIn));
  return [...given, ...inFiles.flat()];
}

/** Nothing for a file that cannot be read: helm says so. */
async function secretsIn(file: string): Promise<string[]> {
  try {
    const documents = parseDocuments({ file, index: 0, text: await readFile(file, 'utf8'), line: 1 });
    return documents.flatMap(({ value }) => [...textsUnder(value, false)]);
  } catch {
    return [];
  }
}

function* textsUnder(value: JsonValue, secret: boolean): Generator<string> {
  if (typeof value === 'string') {
    if (secret) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* textsUnder(item, secret);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* textsUnder(member, secret || SECRET_KEY.test(key));
  }
}
