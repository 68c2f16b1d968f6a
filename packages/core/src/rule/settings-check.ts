import { type SchemaBreach, schemaCheck } from '../schema-check.js';
import type { Catalogue } from './catalogue.js';
import { settingsSchema } from './settings.js';

/** What is wrong with the given settings, with paths that start at the pack's name. Packs that are not installed are not evaluated. */
export function checkSettings(catalogue: Pick<Catalogue, 'packs'>, given: { [pack: string]: unknown }): SchemaBreach[] {
  return catalogue.packs.flatMap((pack) => {
    if (!Object.hasOwn(given, pack.name)) return [];
    return schemaCheck(settingsSchema(pack))(given[pack.name]).map((breach) => ({ ...breach, path: [pack.name, ...breach.path] }));
  });
}
