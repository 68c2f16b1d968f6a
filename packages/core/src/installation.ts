import { resolve } from 'node:path';
import { type Clock, systemClock } from './clock.js';
import { checkBreaches, checkPackSettings, type LoadedConfig, loadConfig, rulesAt, type Setting } from './config/index.js';
import { BylawError } from './errors.js';
import { type InstalledPlugin, loadPlugins } from './plugin/index.js';
import { type Catalogue, loadCatalogue } from './rule/index.js';

/** What the command line has found of its packages; oclif's own `Config` is one. */
export interface FoundPackages {
  /** Of the command line itself. */
  version: string;
  plugins: ReadonlyMap<string, { name: string; root: string; pjson: object }>;
}

/** Flags that decide what a command works with. */
export interface InstallationFlags {
  config?: string | undefined;
  /** A revision of Git whose commit holds the configuration. */
  'policy-from'?: string | undefined;
  remote?: string | undefined;
  /** Folders of custom rules, relative to the working directory. */
  rules?: string[] | undefined;
  host?: string | undefined;
  port?: number | undefined;
}

/** What is installed and configured here: the plugins in use, the configuration in force, and the catalogue of their rules. */
export interface Installation {
  /** Of the command line itself. */
  version: string;
  plugins: readonly InstalledPlugin[];
  loaded: LoadedConfig;
  clock: Clock;
  /**
   * Loads the configuration again, in the same way, with the plugins that are in use.
   * @throws {BylawError} what opening throws; `config-not-found` when the file is no longer there
   */
  reload(): Promise<LoadedConfig>;
  /** Loads the rules of the plugins and the custom folders, and checks the settings of their packs. */
  catalogue(): Promise<Catalogue>;
}

/**
 * @param searchFrom absolute; where the search for bylaw.yaml starts. Absent: in the working directory
 * @throws {BylawError} `plugin-invalid`, `config-invalid`, and all that `loadConfig` throws
 */
export async function openInstallation(found: FoundPackages, flags: InstallationFlags = {}, searchFrom?: string): Promise<Installation> {
  const installed = await installedPlugins(found);
  const cwd = process.cwd();
  const load = () =>
    loadConfig({
      cwd,
      env: process.env,
      ...(flags.config !== undefined && { path: flags.config }),
      ...(searchFrom !== undefined && { searchFrom }),
      ...(flags['policy-from'] !== undefined && { policyFrom: flags['policy-from'] }),
      plugins: installed.map(({ plugin }) => ({ plugin: plugin.name, sections: plugin.config ?? {} })),
      installed: installed.map(({ plugin }) => plugin.name),
      flags: { remote: flags.remote, host: flags.host, port: flags.port },
    });
  const loaded = await load();
  const plugins = installed.filter(({ plugin }) => loaded.config.plugins?.includes(plugin.name) ?? true);
  checkPlugins(loaded, plugins);
  return {
    version: found.version,
    plugins,
    loaded,
    clock: systemClock,
    reload: async () => {
      const again = await load();
      // A search that no longer finds the file may find one in a folder above.
      if (again.file?.path !== loaded.file?.path)
        throw new BylawError('config-not-found', 'The configuration file is no longer in its place.');
      checkPlugins(again, plugins);
      return again;
    },
    catalogue: () => catalogueOf(plugins, loaded, flags.rules ?? []),
  };
}

/** What the schemas of the plugins' sections cannot say. */
function checkPlugins(loaded: LoadedConfig, plugins: readonly InstalledPlugin[]): void {
  checkBreaches(
    loaded,
    plugins.flatMap(({ plugin }) => plugin.checkConfig?.(loaded.config, process.env) ?? []),
  );
}

/** What the plugins in use say beside the settings of the configuration: whether variables are set, for example. */
export function pluginSettings({ plugins, loaded }: Pick<Installation, 'plugins' | 'loaded'>): Setting[] {
  return plugins.flatMap(({ plugin }) => plugin.settings?.(loaded.config, process.env) ?? []);
}

/**
 * The installed plugins, in use or not, in the order of their package names.
 * @throws {BylawError} `plugin-invalid`
 */
export async function installedPlugins(found: FoundPackages): Promise<InstalledPlugin[]> {
  return loadPlugins(pluginFolders(found));
}

/** oclif has found all packages with commands; those with a `bylaw` module are plugins of ours, in the order of their names. */
function pluginFolders(found: FoundPackages): string[] {
  const packages = [...found.plugins.values()].filter((plugin) => 'bylaw' in plugin.pjson);
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1)).map((plugin) => plugin.root);
}

async function catalogueOf(plugins: readonly InstalledPlugin[], loaded: LoadedConfig, ruleDirs: readonly string[]): Promise<Catalogue> {
  const packs = plugins.flatMap(({ plugin }) => plugin.rulePacks ?? []);
  const { config, policy } = loaded;
  const folders = [...config.evaluate.rule_dirs, ...ruleDirs];
  const read = policy && (await Promise.all(folders.map((folder) => rulesAt(policy, resolve(folder)))));
  const catalogue = await loadCatalogue({ packs, ruleDirs: read ?? folders });
  checkPackSettings(loaded, catalogue);
  return catalogue;
}
