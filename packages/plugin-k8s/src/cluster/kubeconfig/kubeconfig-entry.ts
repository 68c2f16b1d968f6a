import { readFile } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { BylawError } from '@bylaw/core/errors';
import type { YamlFile } from '@bylaw/core/yaml-file';
import { k8sError } from '../../error-table.js';

/** A mapping of a kubeconfig, looked at member by member: what nobody asks for may be wrong. */
export interface KubeconfigEntry {
  /** Undefined where it is absent or empty, as Kubernetes takes it. */
  text(member: string): string | undefined;
  flag(member: string): boolean;
  texts(member: string): string[];
  entry(member: string): KubeconfigEntry | undefined;
  entries(member: string): KubeconfigEntry[];
  value(member: string): unknown;
  /** Members whose values are lists of texts. */
  lists(member: string): { [name: string]: string[] };
  /** A path, absolute: relative ones start at the folder of the file. */
  path(member: string): string | undefined;
  /** A command: one without a separator is searched for in PATH, any other is a path. */
  command(member: string): string | undefined;
  /** PEM blocks, from Base64 in the file or from a file beside it. */
  pem(dataMember: string, pathMember: string, label: string): Promise<string | undefined>;
  error(member: string, message: string, hint?: string): BylawError;
}

/** Where an entry stands. */
export interface Origin {
  file: YamlFile;
  /** Folder of the file. */
  folder: string;
  path: readonly (string | number)[];
}

export function kubeconfigEntry(members: { readonly [member: string]: unknown }, origin: Origin): KubeconfigEntry {
  const error = (member: string, message: string, hint?: string) =>
    k8sError('kubeconfig-invalid', message, {
      location: origin.file.locate([...origin.path, member]),
      ...(hint !== undefined && { hint }),
    });
  const value = (member: string) => (Object.hasOwn(members, member) ? (members[member] ?? undefined) : undefined);
  const text = (member: string) => {
    const found = value(member);
    if (found !== undefined && typeof found !== 'string') throw error(member, `\`${member}\` must be a string.`);
    return found === '' ? undefined : found;
  };
  const path = (member: string) => {
    const found = text(member);
    return found === undefined || isAbsolute(found) ? found : join(origin.folder, found);
  };
  const list = (member: string): readonly unknown[] => {
    const found = value(member) ?? [];
    if (!Array.isArray(found)) throw error(member, `\`${member}\` must be a list.`);
    return found;
  };
  const below = (found: unknown, ...steps: [string, ...(string | number)[]]) => {
    if (!isMapping(found)) throw error(steps[0], `\`${steps[0]}\` must be a mapping.`);
    return kubeconfigEntry(found, { ...origin, path: [...origin.path, ...steps] });
  };
  return {
    text,
    value,
    path,
    error,
    flag: (member) => {
      const found = value(member) ?? false;
      if (typeof found !== 'boolean') throw error(member, `\`${member}\` must be true or false.`);
      return found;
    },
    texts: (member) => list(member).map((item) => textItem(item, () => error(member, `\`${member}\` must be a list of strings.`))),
    entry: (member) => (value(member) === undefined ? undefined : below(value(member), member)),
    entries: (member) => list(member).map((item, index) => below(item, member, index)),
    lists: (member) => {
      const found = value(member) ?? {};
      const wrong = () => error(member, `\`${member}\` must be a mapping of lists of strings.`);
      if (!isMapping(found)) throw wrong();
      const items = (each: unknown): readonly unknown[] => {
        if (!Array.isArray(each)) throw wrong();
        return each;
      };
      return Object.fromEntries(Object.entries(found).map(([name, each]) => [name, items(each).map((item) => textItem(item, wrong))]));
    },
    command: (member) => (text(member)?.includes(sep) ? path(member) : text(member)),
    pem: async (dataMember, pathMember, label) => {
      const data = text(dataMember);
      const file = path(pathMember);
      if (data === undefined && file === undefined) return undefined;
      const member = data === undefined ? pathMember : dataMember;
      const found =
        data === undefined ? await readTextFile(file ?? '', (why) => error(member, why)) : Buffer.from(data, 'base64').toString('latin1');
      if (!found.includes(`-----BEGIN ${label}`) && !found.includes(` ${label}-----`))
        throw error(member, `\`${member}\` must contain a ${label.toLowerCase()} in PEM format.`);
      return found;
    },
  };
}

export function isMapping(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textItem(item: unknown, wrong: () => BylawError): string {
  if (typeof item !== 'string') throw wrong();
  return item;
}

async function readTextFile(path: string, wrong: (why: string) => BylawError): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw wrong(`Cannot read the file ${path}: ${reasonOf(cause)}.`);
  }
}

/** Why a file cannot be read, without its path. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return REASONS[code] ?? (code || 'unknown error');
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
};
