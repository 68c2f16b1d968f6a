import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Interfaces } from '@oclif/core';

/**
 * The package description of the command line, with the plugins that are installed beside it named as its own: oclif loads them with
 * their commands. Two folder listings find them, which is cheaper than any cache that would have to be checked for its age.
 */
export function withSiblings(root: string): Interfaces.PJSON {
  const description: Interfaces.PJSON = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const siblings = siblingPlugins(root);
  return {
    ...description,
    dependencies: { ...description.dependencies, ...Object.fromEntries(siblings.map((name) => [name, '*'])) },
    oclif: { ...description.oclif, plugins: [...(description.oclif.plugins ?? []), ...siblings] },
  };
}

/** The package that installs plugins: not everybody needs it, and it brings npm and yarn. */
export const PLUGIN_INSTALLER = '@oclif/plugin-plugins';

/** Names of the packages `@bylaw/plugin-*` and `bylaw-plugin-*` in the folder that holds `@bylaw/cli` itself, sorted, and of the installer of plugins. */
export function siblingPlugins(root: string): string[] {
  const modules = modulesFolderOf(root);
  if (modules === undefined) return [];
  const own = namesIn(join(modules, '@bylaw'), 'plugin-').map((name) => `@bylaw/${name}`);
  return [...own, ...namesIn(modules, 'bylaw-plugin-'), PLUGIN_INSTALLER].filter((name) => existsSync(join(modules, name, 'package.json')));
}

/** Not any folder further up: what lies there was not installed with this program. */
function modulesFolderOf(root: string): string | undefined {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(join(modules, '@bylaw', 'cli'))) return modules;
  }
  return undefined;
}

function namesIn(folder: string, prefix: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .sort();
  } catch {
    return [];
  }
}
