import type { AnyEndpoint } from '../endpoint/index.js';
import { type GroupReader, loadReaders } from '../resource/index.js';
import { checkEndpoints, checkTools } from './check-plugin.js';
import type { InstalledPlugin } from './load-plugins.js';
import type { Tool } from './plugin.js';

/**
 * The endpoints of a plugin, loaded where it names a function.
 * @throws {BylawError} `plugin-invalid` if what the function gives is not a list of endpoints
 */
export async function endpointsOf({
  plugin,
  packageName,
}: Pick<InstalledPlugin, 'plugin' | 'packageName'>): Promise<readonly AnyEndpoint[]> {
  const { endpoints = [] } = plugin;
  return typeof endpoints === 'function' ? checkEndpoints(await endpoints(), packageName) : endpoints;
}

/**
 * The tools of a plugin that are not endpoints, loaded where it names a function.
 * @throws {BylawError} `plugin-invalid` if what the function gives is not a list of tools
 */
export async function toolsOf({ plugin, packageName }: Pick<InstalledPlugin, 'plugin' | 'packageName'>): Promise<readonly Tool[]> {
  const { tools = [] } = plugin;
  return typeof tools === 'function' ? checkTools(await tools(), packageName) : tools;
}

/** The modules of the readers that plugins add, in a form that threads can be given. None of them is loaded. */
export function readerModulesOf(plugins: readonly Pick<InstalledPlugin, 'plugin'>[]): string[] {
  return plugins.flatMap(({ plugin }) => plugin.readers ?? []).map(({ href }) => href);
}

/** The readers that plugins add. */
export async function readersOf({ plugins }: { plugins: readonly Pick<InstalledPlugin, 'plugin'>[] }): Promise<GroupReader[]> {
  return loadReaders(readerModulesOf(plugins));
}
