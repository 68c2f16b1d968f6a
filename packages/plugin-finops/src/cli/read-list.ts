import { readFile } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import { type JsonSchema, requestCheck } from '@bylaw/core/http';
import { readYamlFile } from '@bylaw/core/yaml-file';

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
