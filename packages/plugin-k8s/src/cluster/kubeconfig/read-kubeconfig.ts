import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readYamlFile, type YamlFile } from '@bylaw/core/yaml-file';
import { K8S_ERRORS, k8sError } from '../../error-table.js';
import { isMapping, type KubeconfigEntry, kubeconfigEntry, reasonOf } from './kubeconfig-entry.js';

/** What kubeconfigs hold, by name. Only what is requested is checked. */
export interface Kubeconfig {
  contexts: ReadonlyMap<string, KubeconfigEntry>;
  clusters: ReadonlyMap<string, KubeconfigEntry>;
  users: ReadonlyMap<string, KubeconfigEntry>;
  currentContext: string | undefined;
}

/**
 * Reads one file.
 * @returns undefined where there is none
 * @throws {BylawError} `kubeconfig-invalid`
 */
export async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const text = await textAt(path);
  if (text === undefined) return undefined;
  const file = readYamlFile(path, text, { code: 'kubeconfig-invalid', exit: K8S_ERRORS['kubeconfig-invalid'].exit });
  const root = file.value ?? {};
  if (!isMapping(root)) throw invalid(file, [], 'The kubeconfig must be a mapping with `clusters`, `users` and `contexts`.');
  const currentContext = root['current-context'];
  return {
    contexts: named(file, root, 'contexts', 'context', path),
    clusters: named(file, root, 'clusters', 'cluster', path),
    users: named(file, root, 'users', 'user', path),
    currentContext: typeof currentContext === 'string' && currentContext !== '' ? currentContext : undefined,
  };
}

/** Without the bytes of a text that says in which order bytes come. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')) return undefined;
    throw k8sError('kubeconfig-invalid', `Cannot read the kubeconfig ${path}: ${reasonOf(cause)}.`, { cause });
  }
}

function named(
  file: YamlFile,
  root: { readonly [member: string]: unknown },
  member: string,
  inner: string,
  path: string,
): Map<string, KubeconfigEntry> {
  const list = root[member] ?? [];
  if (!Array.isArray(list)) throw invalid(file, [member], `\`${member}\` must be a list.`);
  const entries = new Map<string, KubeconfigEntry>();
  for (const [index, item] of list.entries()) {
    if (!isMapping(item) || typeof item.name !== 'string') throw invalid(file, [member, index], `This entry of \`${member}\` has no name.`);
    if (entries.has(item.name)) throw invalid(file, [member, index], `\`${member}\` has two entries with this name.`);
    const members = item[inner] ?? {};
    if (!isMapping(members)) throw invalid(file, [member, index, inner], `\`${inner}\` must be a mapping.`);
    entries.set(item.name, kubeconfigEntry(members, { file, folder: dirname(resolve(path)), path: [member, index, inner] }));
  }
  return entries;
}

function invalid(file: YamlFile, path: readonly (string | number)[], message: string) {
  return k8sError('kubeconfig-invalid', message, { location: file.locate(path) });
}
