import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BylawError } from '../errors.js';
import type { Plugin } from '../plugin.js';
import { checkPlugin } from './check-plugin.js';

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
 * @throws {BylawError} `plugin-invalid`, naming the package and the member that is wrong
 */
export async function loadPlugins(roots: readonly string[]): Promise<InstalledPlugin[]> {
  const loaded = await Promise.all(roots.map(loadPlugin));
  const installed = loaded.filter((plugin) => plugin !== undefined);
  refuseSameNames(installed);
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

function refuseSameNames(installed: readonly InstalledPlugin[]): void {
  const byName = new Map<string, string>();
  for (const { plugin, packageName } of installed) {
    const other = byName.get(plugin.name);
    if (other !== undefined)
      throw new BylawError('plugin-invalid', `The plugins ${other} and ${packageName} have the same name \`${plugin.name}\`.`, {
        hint: 'Remove one of them.',
      });
    byName.set(plugin.name, packageName);
  }
}
