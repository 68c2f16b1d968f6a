import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { BylawError, type Location } from '../errors.js';
import { repositoryFolder } from '../git/index.js';
import { schemaCheck, schemaErrors } from '../schema-check.js';
import type { ConfigSections } from './core-sections.js';
import { configSchema } from './sections.js';

export const CONFIG_FILE = 'bylaw.yaml';

/** Far above any real file: a limit so that a mistaken path does not fill the memory. */
const MAX_BYTES = 1024 * 1024;

/** A configuration file as read and checked. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  /** `sha256:` and the lower-case hex digest of the bytes that were read. */
  digest: string;
  /** By section; sections written without a value are absent. */
  value: { readonly [section: string]: unknown };
  /** The place of the deepest existing ancestor of a path of names and positions. */
  locate(path: readonly (string | number)[]): Location;
}

/**
 * Finds `bylaw.yaml` in a folder or the nearest one above it. In a Git repository the search ends at its top folder: what is above is not part of it.
 * @returns its absolute path, or undefined
 */
export async function findConfig(cwd: string): Promise<string | undefined> {
  const repositoryTop = repositoryFolder(resolve(cwd));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, CONFIG_FILE);
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isFile()) return candidate;
    if (folder === repositoryTop || folder === dirname(folder)) return undefined;
  }
}

/**
 * Reads a configuration file and checks it against the sections.
 * @throws {BylawError} `config-not-found`, `config-invalid`, `exception-invalid`, with the place of the first error and the others below it
 */
export async function readConfig(path: string, cwd: string, sections: ConfigSections): Promise<ConfigFile> {
  const displayPath = relative(cwd, path) || path;
  return parseConfig(path, displayPath, await readBytes(path, displayPath), sections);
}

/**
 * Checks the content of a configuration file against the sections.
 * @param displayPath how messages name the file
 * @throws {BylawError} `config-invalid`, `exception-invalid`, with the place of the first error and the others below it
 */
export async function parseConfig(path: string, displayPath: string, bytes: Uint8Array, sections: ConfigSections): Promise<ConfigFile> {
  const text = decodeConfig(bytes, displayPath);
  const { readYamlFile } = await import('../yaml-file.js'); // large, and often there is no file at all
  const yaml = readYamlFile(displayPath, text, 'config-invalid');
  const value = withoutEmpty(yaml.value ?? {});
  const breaches = schemaCheck(configSchema(sections))(value);
  const errors = breaches.map((breach) => {
    const code = breach.path[0] === 'exceptions' && breach.path.length > 1 ? 'exception-invalid' : 'config-invalid';
    return schemaErrors(yaml, [breach], code)[0];
  });
  throwFirst(errors.filter((error) => error !== undefined));
  // The schema has just said that it is an object.
  const checked = value as { [section: string]: unknown };
  throwFirst(repeatedKeys(checked, yaml.locate));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { path, digest, value: checked, locate: yaml.locate };
}

/** One error that shows all of them, the first with its place, the others with theirs in the text. */
export function throwFirst(errors: readonly BylawError[]): void {
  const [first, ...others] = errors;
  if (!first) return;
  const more = others.map(({ location: at, message }) => `\n${at ? `${at.file}:${at.line}:${at.column}: ` : ''}${message}`);
  throw new BylawError({ code: first.code, exit: first.exitCode }, `${first.message}${more.join('')}`, {
    ...(first.location && { location: first.location }),
    ...(first.hint !== undefined && { hint: first.hint }),
  });
}

async function readBytes(path: string, displayPath: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw tooLarge(displayPath);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof BylawError) throw cause;
    throw new BylawError('config-not-found', `Cannot read the configuration file ${displayPath}.`, {
      cause,
      hint: 'Check the path in --config or SVC_CONFIG, or create a file with `bylaw init`.',
    });
  }
}

function decodeConfig(bytes: Uint8Array, displayPath: string): string {
  if (bytes.length > MAX_BYTES) throw tooLarge(displayPath);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(displayPath, 'The file is not UTF-8 text.');
  }
}

function tooLarge(displayPath: string): BylawError {
  return invalid(displayPath, `The file is larger than ${MAX_BYTES} bytes.`);
}

function invalid(displayPath: string, message: string): BylawError {
  return new BylawError('config-invalid', message, { location: { file: displayPath, line: 1, column: 1 } });
}

/** A section whose settings are all commented out is written as nothing, and means the defaults. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, section]) => section !== null));
}

/** What the schema cannot say: two keys may share neither their name nor their digest. */
function repeatedKeys(value: { readonly [section: string]: unknown }, locate: ConfigFile['locate']): BylawError[] {
  // The schema has said that the section has this form.
  const keys = (value.api as { keys?: { id: string; sha256: string }[] } | undefined)?.keys ?? [];
  return keys.flatMap((key, index) => {
    const earlier = keys.slice(0, index);
    const repeated = (['id', 'sha256'] as const).find((member) => earlier.some((other) => other[member] === key[member]));
    if (!repeated) return [];
    return [
      new BylawError('config-invalid', `Two API keys have the same \`${repeated}\`.`, {
        location: locate(['api', 'keys', index, repeated]),
      }),
    ];
  });
}
