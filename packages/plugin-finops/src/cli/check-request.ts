import { readFile } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import { type JsonSchema, requestCheck } from '@bylaw/core/http';
import { readYamlFile } from '@bylaw/core/yaml-file';

/**
 * Holds what flags say to the form of the request that they stand for, so that a command takes what a server takes.
 * @throws {BylawError} `usage`
 */
export function checkRequest(
  { as_of, ...request }: { as_of?: string; [member: string]: unknown }, // what reads times has better words for what is not one
  { properties }: { readonly properties: { readonly [member: string]: JsonSchema } },
): void {
  const [breach] = requestCheck({ type: 'object', properties })(request);
  if (!breach) return;
  const place = breach.path.slice(1).replaceAll('/', '.');
  const message = breach.message.startsWith('must match pattern') ? 'has an invalid format' : breach.message;
  const description = properties[place.split('.')[0] ?? '']?.['description'];
  const hint = typeof description === 'string' ? { hint: description } : {};
  throw new BylawError('usage', `Invalid flag value: ${place} ${message}.`, hint);
}

/**
 * The list that a file of YAML or JSON holds, as the member of a request that it stands for.
 * @param hint what it is a list of
 * @throws {BylawError} `path-not-found`, `yaml-syntax`, or `usage` for what has another form
 */
export async function listAt<Item>(path: string, schema: JsonSchema, hint: string): Promise<readonly Item[]> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BylawError('path-not-found', `Cannot read ${path}.`, { cause, hint: 'Check the path and its permissions.' });
  });
  const { value } = readYamlFile(path, text, 'yaml-syntax');
  const [breach] = requestCheck(schema)(value);
  if (breach) throw new BylawError('usage', `${path}: ${breach.path || 'the file'} ${breach.message}.`, { hint });
  return value as readonly Item[]; // it has passed the schema
}
