import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BylawError } from '../errors.js';
import { type Boundary, boundaryOf } from '../resource/files/boundary.js';
import { realPathOf } from '../resource/files/real-path.js';
import { formatPointer } from '../resource/text/pointer.js';
import type { ConfigSections, SectionSchema } from './core-sections.js';
import { type ConfigFile, throwFirst } from './read-config.js';
import { leaves, type Setting } from './settings.js';

/** What a search found: a folder, and the configuration file in it. */
export interface FoundConfig {
  /** Absolute. */
  base: string;
  file?: ConfigFile;
}

/**
 * Confines the paths of a configuration that nobody named. It may come with a repository from a stranger, so its paths, and the links that they lead
 * through, must stay in that repository, or without one in the folder of the file. A path of a setting is marked `isPath` in its schema.
 * @throws {BylawError} `config-path-outside` with the place of the first one, and the others below it
 */
export async function confinePaths({ base, file }: FoundConfig, sections: ConfigSections, settings: readonly Setting[]): Promise<void> {
  const boundary = await boundaryOf(await realPathOf(base));
  const errors: BylawError[] = [];
  for (const { setting, path, value, instead } of pathsIn(sections, settings)) {
    if (await isInside(resolve(base, value), boundary)) continue;
    const location = setting.origin === 'file' ? file?.locate(path) : undefined;
    errors.push(outside(`\`${setting.key}\` (${formatPointer(path)})`, boundary, instead, location));
  }
  throwFirst(errors);
}

/**
 * Confines a file or folder that a command uses although nobody named it.
 * @param path absolute
 * @param displayPath its name for people
 * @throws {BylawError} `config-path-outside`
 */
export async function confineFile(path: string, displayPath: string, base: string, instead: string): Promise<void> {
  const boundary = await boundaryOf(await realPathOf(base));
  if (!(await isInside(path, boundary))) throw outside(displayPath, boundary, instead);
}

/** Confines the folder of the state, and what is in it. Parameters and errors as those of `confineFile`. */
export async function confineFolder(path: string, displayPath: string, base: string, instead: string): Promise<void> {
  await confineFile(path, displayPath, base, instead);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isSymbolicLink()) await confineFile(join(path, entry.name), `${displayPath}/${entry.name}`, base, instead);
}

async function isInside(path: string, boundary: Boundary): Promise<boolean> {
  const real = await realPathOf(path).catch(() => undefined);
  return real !== undefined && boundary.holds(real);
}

interface PathSetting {
  setting: Setting;
  path: (string | number)[];
  value: string;
  /** What gives a path that is elsewhere. */
  instead: string;
}

function pathsIn(sections: ConfigSections, settings: readonly Setting[]): PathSetting[] {
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  return leaves(sections, []).flatMap(({ path, schema }) => {
    const setting = byKey.get(path.join('.'));
    if (setting === undefined) return [];
    if (schema.isPath === true) return pathSetting(setting, path, setting.value, schema);
    // In a JSON Schema, `items` holds a schema.
    const items = schema.items as SectionSchema | undefined;
    if (items?.isPath !== true || !Array.isArray(setting.value)) return [];
    return setting.value.flatMap((value: unknown, index) => pathSetting(setting, [...path, index], value, items));
  });
}

function pathSetting(setting: Setting, path: (string | number)[], value: unknown, { instead }: SectionSchema): PathSetting[] {
  return typeof value === 'string' ? [{ setting, path, value, instead: typeof instead === 'string' ? instead : NAME_THE_FILE }] : [];
}

const NAME_THE_FILE = 'name the configuration file itself with --config or SVC_CONFIG';

function outside(what: string, { inRepository }: Boundary, instead: string, location?: BylawError['location']): BylawError {
  const where = inRepository ? 'the Git repository that the configuration was found in' : 'the folder of the configuration';
  return new BylawError('config-path-outside', `${what} leads out of ${where}.`, {
    ...(location && { location }),
    hint: `Use a path inside. For a path outside, ${instead}.`,
  });
}
