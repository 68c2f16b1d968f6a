import { BylawError } from '../errors.js';
import { schemaCheck } from '../schema-check.js';
import type { ConfigSections, SectionSchema } from './core-sections.js';
import type { ConfigFile } from './read-config.js';
import { propertiesOf } from './sections.js';

export type Origin = 'flag' | 'environment' | 'file' | 'default';

/** One setting that is in force, and where its value came from. */
export interface Setting {
  /** Dotted name, as `api.port`. */
  key: string;
  value: unknown;
  origin: Origin;
  /** `--port`, `SVC_PORT` or `bylaw.yaml:3:5`; absent for a default. */
  source?: string;
}

/** A setting that a flag or a variable of the environment may give. */
export interface Binding {
  key: string;
  flag: string;
  variable: string;
}

export const BINDINGS: readonly Binding[] = [
  { key: 'api.host', flag: 'host', variable: 'SVC_HOST' },
  { key: 'api.port', flag: 'port', variable: 'SVC_PORT' },
];

export type Flags = { readonly [flag: string]: string | number | undefined };
export type Environment = { readonly [variable: string]: string | undefined };

/**
 * Every setting that has a value, in the order of the sections: a flag wins over the environment, that over the file, that
 * over the default. A member of an object section is one setting; lists and free maps are settings as a whole.
 * @throws {BylawError} `usage` for a wrong flag, `config-invalid` for a wrong variable
 */
export function resolveConfig(sections: ConfigSections, file: ConfigFile | undefined, env: Environment, flags: Flags): Setting[] {
  return leaves(sections, []).flatMap(({ path, schema }) => {
    const given = fromFlag(path, schema, flags) ?? fromVariable(path, schema, env) ?? fromFile(path, file);
    if (given) return [given];
    return schema.default === undefined ? [] : [{ key: path.join('.'), value: schema.default, origin: 'default' as const }];
  });
}

/** Settings as a tree again. */
export function treeOf(settings: readonly Setting[], sections: ConfigSections): { [section: string]: unknown } {
  const tree: { [section: string]: unknown } = {};
  for (const [name, schema] of Object.entries(sections)) if (Object.keys(propertiesOf(schema)).length > 0) tree[name] = {};
  for (const { key, value } of settings) {
    const path = key.split('.');
    const last = path.pop() ?? key;
    let node = tree;
    for (const step of path) {
      node[step] ??= {};
      node = node[step] as { [name: string]: unknown }; // made by this function
    }
    node[last] = structuredClone(value);
  }
  return tree;
}

interface Leaf {
  path: string[];
  schema: SectionSchema;
}

/** The settings that these schemas describe, in their order. */
export function leaves(properties: { readonly [name: string]: SectionSchema }, above: readonly string[]): Leaf[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...above, name];
    const members = propertiesOf(schema);
    return Object.keys(members).length > 0 ? leaves(members, path) : [{ path, schema }];
  });
}

function fromFlag(path: readonly string[], schema: SectionSchema, flags: Flags): Setting | undefined {
  const binding = BINDINGS.find(({ key }) => key === path.join('.'));
  const value = binding && flags[binding.flag];
  if (!binding || value === undefined) return undefined;
  return checked({ key: binding.key, value, origin: 'flag', source: `--${binding.flag}` }, schema, 'usage');
}

function fromVariable(path: readonly string[], schema: SectionSchema, env: Environment): Setting | undefined {
  const binding = BINDINGS.find(({ key }) => key === path.join('.'));
  const value = binding && env[binding.variable];
  if (!binding || value === undefined || value === '') return undefined;
  return checked({ key: binding.key, value, origin: 'environment', source: binding.variable }, schema, 'config-invalid');
}

function fromFile(path: readonly string[], file: ConfigFile | undefined): Setting | undefined {
  let value: unknown = file?.value;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as { [name: string]: unknown })[step]; // an object, as just seen
  }
  if (!file || value === undefined) return undefined;
  const at = file.locate(path);
  return { key: path.join('.'), value, origin: 'file', source: `${at.file}:${at.line}:${at.column}` };
}

function checked(setting: Setting, schema: SectionSchema, code: 'usage' | 'config-invalid'): Setting {
  const value =
    schema.type === 'integer' && typeof setting.value === 'string' && /^[0-9]{1,15}$/.test(setting.value)
      ? Number(setting.value)
      : setting.value;
  const breach = schemaCheck({ type: 'object', properties: { value: schema } })({ value })[0];
  if (breach) throw new BylawError(code, breach.message.replace('`value`', setting.source ?? setting.key));
  return { ...setting, value };
}
