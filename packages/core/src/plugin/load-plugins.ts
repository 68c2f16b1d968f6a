import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BylawError } from '../errors.js';
import { checkPlugin } from './check-plugin.js';
import type { Plugin } from './plugin.js';

/** A plugin with the package that it came from. */
export interface InstalledPlugin {
  plugin: Plugin;
  packageName: string;
  version: string;
  /** Folder of the package. */
  root: string;
}

/**
 * Loads the plugins among the given packages, in their order. A package whose `package.json` has no member `bylaw` is not one, and is passed over.
 * @param roots folders of the packages
 * @throws {BylawError} `plugin-invalid`, naming the package and the member that is wrong, or two packages that clash
 */
export async function loadPlugins(roots: readonly string[]): Promise<InstalledPlugin[]> {
  const loaded = await Promise.all(roots.map(loadPlugin));
  const installed = loaded.filter((plugin) => plugin !== undefined);
  for (const kind of UNIQUE) refuseClash(installed, kind);
  return installed;
}

async function loadPlugin(root: string): Promise<InstalledPlugin | undefined> {
  const manifest = await readManifest(root);
  const { bylaw, name, version } = manifest;
  if (bylaw === undefined) return undefined;
  const packageName = typeof name === 'string' ? name : root;
  if (typeof bylaw !== 'string')
    throw new BylawError('plugin-invalid', `The plugin ${packageName}: \`bylaw\` in its package.json must be the path of a module.`);
  const plugin = checkPlugin(await importDefault(join(root, bylaw), packageName), packageName);
  return { plugin, packageName, version: typeof version === 'string' ? version : '0.0.0', root };
}

async function readManifest(root: string): Promise<{ bylaw?: unknown; name?: unknown; version?: unknown }> {
  try {
    const value: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch (cause) {
    throw new BylawError('plugin-invalid', `Cannot read the package.json of the plugin in ${root}.`, {
      cause,
      hint: 'Reinstall the plugin.',
    });
  }
}

async function importDefault(file: string, packageName: string): Promise<unknown> {
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new BylawError('plugin-invalid', `Cannot load the plugin ${packageName}: ${why}`, {
      cause,
      hint: 'Reinstall or rebuild the plugin, or remove it.',
    });
  }
  return module.default;
}

/** What only one plugin may have under a name, and how an error says that two have it. */
interface Unique {
  namesOf: (plugin: Plugin) => readonly string[];
  clash: (name: string) => string;
}

const UNIQUE: readonly Unique[] = [
  { namesOf: ({ name }) => [name], clash: (name) => `have the same name \`${name}\`` },
  { namesOf: ({ compare }) => (compare ? [compare.member] : []), clash: (name) => `both add \`${name}\` to comparisons` },
  { namesOf: ({ reporters = [] }) => reporters.map(({ name }) => name), clash: (name) => `both add the format \`${name}\`` },
  { namesOf: ({ tags = {} }) => Object.keys(tags), clash: (name) => `both describe the tag \`${name}\`` },
];

function refuseClash(installed: readonly InstalledPlugin[], { namesOf, clash }: Unique): void {
  const owners = new Map<string, string>();
  for (const { plugin, packageName } of installed) {
    for (const name of namesOf(plugin)) {
      const other = owners.get(name);
      if (other === packageName)
        throw new BylawError('plugin-invalid', `The plugin ${packageName} does not follow the plugin contract: it has \`${name}\` twice.`);
      if (other !== undefined)
        throw new BylawError('plugin-invalid', `The plugins ${other} and ${packageName} ${clash(name)}.`, { hint: 'Remove one of them.' });
      owners.set(name, packageName);
    }
  }
}
