import type { Tool } from '../plugin.js';
import { checkTools } from './check-plugin.js';
import type { InstalledPlugin } from './load-plugins.js';

/**
 * The tools of a plugin, loaded where it names a function.
 * @throws {BylawError} `plugin-invalid` when what the function gives is no list of tools
 */
export async function toolsOf({ plugin, packageName }: Pick<InstalledPlugin, 'plugin' | 'packageName'>): Promise<readonly Tool[]> {
  const { tools = [] } = plugin;
  return typeof tools === 'function' ? checkTools(await tools(), packageName) : tools;
}
