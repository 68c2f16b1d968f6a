import type { Endpoint } from '../endpoint/index.js';
import type { Tool } from '../plugin.js';
import { checkEndpoints, checkTools } from './check-plugin.js';
import type { InstalledPlugin } from './load-plugins.js';

/**
 * The endpoints of a plugin, loaded where it names a function.
 * @throws {BylawError} `plugin-invalid` if what the function gives is not a list of endpoints
 */
export async function endpointsOf({ plugin, packageName }: Pick<InstalledPlugin, 'plugin' | 'packageName'>): Promise<readonly Endpoint[]> {
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
