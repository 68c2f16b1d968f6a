import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { k8sError } from '../../error-table.js';
import { type Kubeconfig, readKubeconfig } from './read-kubeconfig.js';

/** Variables of the process. */
export type Environment = { readonly [name: string]: string | undefined };

export interface FoundKubeconfig {
  kubeconfig: Kubeconfig;
  /** The files that were looked for. */
  paths: readonly string[];
}

/**
 * Finds and reads the kubeconfig as kubectl does: the file that is named, else those of KUBECONFIG, else `~/.kube/config`. Of several
 * files the first to name an entry, or the current context, wins; a file of KUBECONFIG that does not exist is passed over.
 * @param named the value of `--kubeconfig`
 * @throws {BylawError} `kubeconfig-missing` where the named file does not exist; `kubeconfig-invalid`
 */
export async function loadKubeconfig(named: string | undefined, env: Environment): Promise<FoundKubeconfig> {
  const paths = named === undefined ? pathsOf(env) : [named];
  const files: Kubeconfig[] = [];
  for (const path of paths) {
    const file = await readKubeconfig(path);
    if (file) files.push(file);
    else if (named !== undefined) throw k8sError('kubeconfig-missing', `The kubeconfig ${named} does not exist.`);
  }
  return { kubeconfig: merged(files), paths };
}

function pathsOf(env: Environment): string[] {
  const several = new Set((env.KUBECONFIG ?? '').split(delimiter).filter(Boolean));
  return several.size > 0 ? [...several] : [join(env.HOME ?? homedir(), '.kube', 'config')];
}

function merged(files: readonly Kubeconfig[]): Kubeconfig {
  const lastFirst = files.toReversed();
  return {
    contexts: new Map(lastFirst.flatMap(({ contexts }) => [...contexts])),
    clusters: new Map(lastFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastFirst.flatMap(({ users }) => [...users])),
    currentContext: files.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  };
}
