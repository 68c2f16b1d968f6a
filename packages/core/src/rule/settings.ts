import type { JsonObject } from '../resource/text/json.js';
import type { Catalogue, CataloguePack } from './catalogue.js';

/** JSON Schema of the settings of a pack: the section `packs.<name>` of bylaw.yaml. */
export function settingsSchema(pack: Pick<CataloguePack, 'settings'>): object {
  return { type: 'object', additionalProperties: false, properties: pack.settings };
}

/** The settings of every pack with defaults filled in, by pack name. What is given must have passed `checkSettings`. */
export function resolveSettings(
  catalogue: Pick<Catalogue, 'packs'>,
  given: { [pack: string]: JsonObject } = {},
): { [pack: string]: JsonObject } {
  return Object.fromEntries(
    catalogue.packs.map((pack) => {
      const defaults = Object.fromEntries(Object.entries(pack.settings).map(([name, setting]) => [name, setting.default]));
      return [pack.name, { ...defaults, ...(Object.hasOwn(given, pack.name) ? given[pack.name] : {}) }];
    }),
  );
}
