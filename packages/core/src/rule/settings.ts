import type { JsonObject } from '../resource/resource.js';
import { type SchemaBreach, schemaCheck } from '../schema-check.js';
import type { Catalogue, CataloguePack } from './catalogue.js';

/** JSON Schema of the settings of a pack: the section `packs.<name>` of bylaw.yaml. */
export function settingsSchema(pack: Pick<CataloguePack, 'settings'>): object {
  return { type: 'object', additionalProperties: false, properties: pack.settings };
}

/** The settings of every pack with defaults filled in, by pack name. What is given must have passed `checkSettings`. */
export function resolveSettings(catalogue: Pick<Catalogue, 'packs'>, given: { [pack: string]: JsonObject } = {}): { [pack: string]: JsonObject } {
  return Object.fromEntries(
    catalogue.packs.map((pack) => {
      const defaults = Object.fromEntries(Object.entries(pack.settings).map(([name, setting]) => [name, setting.default]));
      return [pack.name, { ...defaults, ...(Object.hasOwn(given, pack.name) ? given[pack.name] : {}) }];
    }),
  );
}

/** What is wrong with the given settings, with paths that start at the pack's name. Packs that are not installed are not judged. */
export function checkSettings(catalogue: Pick<Catalogue, 'packs'>, given: { [pack: string]: unknown }): SchemaBreach[] {
  return catalogue.packs.flatMap((pack) => {
    if (!Object.hasOwn(given, pack.name)) return [];
    return schemaCheck(settingsSchema(pack))(given[pack.name]).map((breach) => ({ ...breach, path: [pack.name, ...breach.path] }));
  });
}
