import { type FoundPackages, installedPlugins } from '@bylaw/core/installation';
import type { InstalledPlugin } from '@bylaw/core/plugin';
import { loadCatalogue } from '@bylaw/core/rule';

/** Where a plugin came from: our packages beside the command line, others beside it or in the user's folder, or a linked checkout. */
export type PluginSource = 'bundled' | 'installed' | 'linked';

/** A plugin as `bylaw plugins --json` shows it. */
export interface ListedPlugin {
  /** Short name. */
  name: string;
  package: string;
  version: string;
  source: PluginSource;
  /** How many rules its packs hold. */
  rules: number;
  /** Its commands without `bylaw`, sorted. */
  commands: string[];
}

/** What oclif has found; its own `Config` is one. */
export interface FoundCommands extends FoundPackages {
  plugins: ReadonlyMap<string, FoundPackage>;
}

interface FoundPackage {
  name: string;
  version: string;
  root: string;
  /** `core`: beside the command line. `user` and `link`: through `bylaw plugins`. */
  type: string;
  pjson: object;
  commands: readonly { id: string; hidden?: boolean }[];
}

/**
 * The plugins of this installation by name, in use or not. Packages that are not plugins of ours are listed if the user installed or linked them.
 * @throws {BylawError} `plugin-invalid`, `pack-unreadable`
 */
export async function listPlugins(found: FoundCommands): Promise<ListedPlugin[]> {
  const installed = new Map((await installedPlugins(found)).map((plugin) => [plugin.root, plugin]));
  const shown = [...found.plugins.values()].filter(({ root, type }) => installed.has(root) || type === 'user' || type === 'link');
  const listed = await Promise.all(
    shown.map(async (one) => ({
      name: installed.get(one.root)?.plugin.name ?? one.name,
      package: one.name,
      version: one.version,
      source: sourceOf(one),
      rules: await countRules(installed.get(one.root)),
      commands: commandsOf(one),
    })),
  );
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Short names of the installed plugins, and of those among them that add something: a package that is only a name is not built yet. */
export async function pluginNames(found: FoundCommands): Promise<{ installed: string[]; available: string[] }> {
  const installed = await installedPlugins(found);
  const withCommands = new Set([...found.plugins.values()].filter((one) => commandsOf(one).length > 0).map(({ root }) => root));
  const available = installed.filter(
    ({ plugin, root }) => withCommands.has(root) || Object.keys(plugin).some((member) => member !== 'name'),
  );
  return { installed: installed.map(({ plugin }) => plugin.name), available: available.map(({ plugin }) => plugin.name) };
}

function sourceOf({ name, type }: FoundPackage): PluginSource {
  if (type === 'link') return 'linked';
  return type === 'core' && name.startsWith('@bylaw/') ? 'bundled' : 'installed';
}

async function countRules(installed: InstalledPlugin | undefined): Promise<number> {
  const { rules } = await loadCatalogue({ packs: installed?.plugin.rulePacks ?? [] });
  return rules.length;
}

function commandsOf({ commands }: FoundPackage): string[] {
  return commands
    .filter(({ hidden }) => !hidden)
    .map(({ id }) => id.replaceAll(':', ' '))
    .sort();
}
