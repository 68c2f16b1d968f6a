import { BylawError } from '../errors.js';
import { CORE_SECTIONS, type ConfigSections, type SectionSchema } from './core-sections.js';

/** The sections of one plugin. */
export interface OwnedSections {
  plugin: string;
  sections: ConfigSections;
}

/** The one section of core that plugins may extend by further settings. */
const SHARED = 'api';

/**
 * The union of core's sections and those of the plugins.
 * @throws {BylawError} `plugin-invalid` when two claim the same section, or the same setting of the shared section `api`
 */
export function unionOfSections(plugins: readonly OwnedSections[]): ConfigSections {
  const union: { [section: string]: SectionSchema } = { ...CORE_SECTIONS };
  const owners = new Map(Object.keys(CORE_SECTIONS).map((section) => [section, 'core']));
  for (const { plugin, sections } of plugins)
    for (const [name, schema] of Object.entries(sections)) {
      const owner = owners.get(name);
      if (name === SHARED) union[name] = extended(union[name], schema, plugin);
      else if (owner !== undefined) throw claimedTwice(`section \`${name}\``, plugin, owner);
      else union[name] = schema;
      owners.set(name, owner ?? plugin);
    }
  return union;
}

/** JSON Schema of the whole file. */
export function configSchema(sections: ConfigSections): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'bylaw.yaml',
    type: 'object',
    additionalProperties: false,
    properties: sections,
  };
}

/** The schemas of the members of an object schema; empty where it names none. */
export function propertiesOf(schema: SectionSchema | undefined): { readonly [name: string]: SectionSchema } {
  const properties = schema?.properties;
  // In a JSON Schema, `properties` holds schemas.
  return typeof properties === 'object' && properties !== null ? (properties as { [name: string]: SectionSchema }) : {};
}

function extended(base: SectionSchema | undefined, extra: SectionSchema, plugin: string): SectionSchema {
  const known = propertiesOf(base);
  const twice = Object.keys(propertiesOf(extra)).find((name) => Object.hasOwn(known, name));
  if (twice !== undefined) throw claimedTwice(`setting \`${SHARED}.${twice}\``, plugin, 'core or another plugin');
  return { ...(base ?? extra), properties: { ...known, ...propertiesOf(extra) } };
}

function claimedTwice(what: string, plugin: string, owner: string): BylawError {
  return new BylawError('plugin-invalid', `The plugin ${plugin} defines the ${what} of the configuration, which belongs to ${owner}.`, {
    hint: 'Remove one of the two plugins.',
  });
}
