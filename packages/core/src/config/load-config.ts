import { dirname, join, resolve } from 'node:path';
import { BylawError } from '../errors.js';
import { nearest } from '../nearest.js';
import { publicationNote } from '../publication.js';
import type { Catalogue } from '../rule/index.js';
import { checkSettings } from '../rule/settings-check.js';
import type { Config } from './config.js';
import { confineFile, confineFolder, confinePaths } from './confined-paths.js';
import type { ConfigSections } from './core-sections.js';
import { openPolicy, type Policy, policyFile } from './policy.js';
import { CONFIG_FILE, type ConfigFile, findConfig, readConfig, throwFirst } from './read-config.js';
import { type OwnedSections, unionOfSections } from './sections.js';
import { type Environment, type Flags, resolveConfig, type Setting, treeOf } from './settings.js';

export interface LoadOptions {
  /** Absolute; the search for the file starts here, and paths of flags and variables are relative to it. */
  cwd: string;
  /** The value of `--config`; wins over `SVC_CONFIG` and the search. */
  path?: string;
  /** Absolute; where the search for the file starts instead of `cwd`. */
  searchFrom?: string;
  /** A revision of Git: the configuration is that of this commit, whatever the working tree has. */
  policyFrom?: string;
  /** `process.env`. */
  env: Environment;
  /** The sections of the installed plugins. */
  plugins?: readonly OwnedSections[];
  /** Short names of all installed plugins, to check the section `plugins`. Absent: it is not checked. */
  installed?: readonly string[];
  /** Values of `--host`, `--port`, `--data-dir` and `--remote`, by those names without dashes in front. */
  flags?: Flags;
}

/** A configuration and all that is known about it. */
export interface LoadedConfig {
  config: Config;
  /** The file that was read, absent where there is none. */
  file?: ConfigFile;
  /** The commit that the configuration comes from, where one was named. */
  policy?: Policy;
  /** Folder that relative paths of the configuration start from: the file's, else the working directory. */
  base: string;
  /** Folder of the program's own state. It may not exist yet. */
  dataDir: string;
  /** The server that commands send their work to, where one is named. */
  remote: { url?: string; key?: string };
  /** Every setting with its origin, in the order of the reference. */
  settings: readonly Setting[];
}

const DATA_DIR = '.bylaw';

/**
 * Finds, reads and checks the configuration: flag over environment over file over default.
 * The paths of a file that the search found are confined, see `confinePaths`; a file that somebody names is trusted.
 * @throws {BylawError} `config-not-found`, `config-invalid`, `config-path-outside`, `exception-invalid`, `plugin-invalid`, `usage`; with a revision
 * `no-repository`, `git-ref-unknown`, `git-missing`, `git-failed`
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const sections = unionOfSections(options.plugins ?? []);
  const named = options.path ?? nonEmpty(options.env.SVC_CONFIG);
  const { policyFrom, searchFrom: _, ...inWorkingTree } = options;
  const commit = policyFrom === undefined ? undefined : await openPolicy(policyFrom, options.cwd, named);
  const file = commit ? await policyFile(commit, options.cwd, sections) : await fileHere(options, named, sections);
  const base = file === undefined ? options.cwd : dirname(file.path);
  const flags = options.flags ?? {};
  const settings = resolveConfig(sections, file, options.env, flags);
  const process = processSettings(options, flags, base);
  if (named === undefined) {
    await confinePaths({ base, ...(file && { file }) }, sections, settings);
    if (!process.dataDirNamed) await confineFolder(process.values.dataDir, DATA_DIR, base, 'name it with SVC_DATA_DIR');
  }
  // The schemas of the sections say that the tree has this form.
  const config = withAbsolutePaths(treeOf(settings, sections) as unknown as Config, base);
  if (options.installed) checkPlugins(config, options.installed, file);
  if (commit && process.values.remote.url !== undefined) throw remotePolicy();
  const policy = commit && { ...commit, proposed: (await loadConfig(inWorkingTree)).config };
  return {
    config,
    ...(file && { file }),
    ...(policy && { policy }),
    base,
    ...process.values,
    settings: [...settings, ...process.settings],
  };
}

function remotePolicy(): BylawError {
  return new BylawError('usage', '--policy-from cannot be used together with a remote server, which does not have the repository.', {
    hint: 'Leave out --remote and SVC_API_URL: the result is the same.',
  });
}

async function fileHere(
  { cwd, searchFrom = cwd }: LoadOptions,
  named: string | undefined,
  sections: ConfigSections,
): Promise<ConfigFile | undefined> {
  const path = named === undefined ? await findConfig(searchFrom) : resolve(cwd, named);
  if (path === undefined) return undefined;
  if (named === undefined) await confineFile(path, CONFIG_FILE, dirname(path), 'name it with --config or SVC_CONFIG');
  return readConfig(path, cwd, sections);
}

/**
 * Checks the section `packs` against the settings that the packs of a catalogue declare.
 * @throws {BylawError} `config-invalid` with the place of the first error
 */
export function checkPackSettings({ config, file }: LoadedConfig, catalogue: Pick<Catalogue, 'packs'>): void {
  const breaches = checkSettings(catalogue, config.packs);
  throwFirst(
    breaches.map(
      ({ path, message }) => new BylawError('config-invalid', message, { ...(file && { location: file.locate(['packs', ...path]) }) }),
    ),
  );
}

/** What `bylaw config check` prints: every setting and where it came from. Of API keys only digests are known; the key of a remote is never shown. */
export function effectiveConfig(loaded: LoadedConfig): Setting[] {
  return loaded.settings.map((setting) => ({ ...setting }));
}

function withAbsolutePaths(config: Config, base: string): Config {
  const { api, evaluate, scores } = config;
  if (api.client_ca !== undefined) api.client_ca = resolve(base, api.client_ca);
  evaluate.rule_dirs = evaluate.rule_dirs.map((folder) => resolve(base, folder));
  if (evaluate.baseline !== undefined) evaluate.baseline = resolve(base, evaluate.baseline);
  if (scores.path !== undefined) scores.path = resolve(base, scores.path);
  return config;
}

function checkPlugins({ plugins = [] }: Config, installed: readonly string[], file: ConfigFile | undefined): void {
  throwFirst(
    plugins.flatMap((name, index) => {
      if (installed.includes(name)) return [];
      const near = nearest(name, installed);
      const rest = near ? `; did you mean \`${near}\`?` : `. Installed plugins: ${installed.join(', ') || 'none'}.`;
      return [
        new BylawError('config-invalid', `No installed plugin is called \`${name}\`${rest}`, {
          ...(file && { location: file.locate(['plugins', index]) }),
          hint: `Remove it from \`plugins\`, or install it with \`bylaw plugins install\`. ${publicationNote()}`.trim(),
        }),
      ];
    }),
  );
}

/** What belongs to one process and not into a file that a team shares. */
function processSettings({ cwd, env }: LoadOptions, flags: Flags, base: string) {
  const dataDir = given('data_dir', flags['data-dir'], '--data-dir', env.SVC_DATA_DIR, 'SVC_DATA_DIR');
  const url = given('remote.url', flags.remote, '--remote', env.SVC_API_URL, 'SVC_API_URL');
  const key = nonEmpty(env.SVC_API_KEY);
  if (url) checkUrl(url);
  const settings: Setting[] = [dataDir ?? { key: 'data_dir', value: DATA_DIR, origin: 'default' }];
  if (url) settings.push(url);
  if (key !== undefined) settings.push({ key: 'remote.key', value: '(set)', origin: 'environment', source: 'SVC_API_KEY' });
  return {
    settings,
    dataDirNamed: dataDir !== undefined,
    values: {
      dataDir: dataDir ? resolve(cwd, String(dataDir.value)) : join(base, DATA_DIR),
      remote: { ...(url && { url: String(url.value).replace(/\/+$/, '') }), ...(key !== undefined && { key }) },
    },
  };
}

function given(
  key: string,
  flag: string | number | undefined,
  flagName: string,
  variable: string | undefined,
  variableName: string,
): Setting | undefined {
  if (flag !== undefined) return { key, value: String(flag), origin: 'flag', source: flagName };
  const value = nonEmpty(variable);
  return value === undefined ? undefined : { key, value, origin: 'environment', source: variableName };
}

function checkUrl({ value, origin, source }: Setting): void {
  const url = URL.parse(String(value));
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === '') return;
  throw new BylawError(
    origin === 'flag' ? 'usage' : 'config-invalid',
    `${source} must be an http or https URL without a user name, query or fragment.`,
    {
      hint: 'For example, https://bylaw.example.com.',
    },
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
