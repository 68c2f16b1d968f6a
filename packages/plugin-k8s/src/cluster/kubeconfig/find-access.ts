import { k8sError } from '../../error-table.js';
import type { Access } from './access.js';
import { chooseContext } from './choose-context.js';
import { inClusterAccess } from './in-cluster.js';
import { type Environment, loadKubeconfig } from './load-kubeconfig.js';

export interface AccessOptions {
  /** The value of `--kubeconfig`. */
  kubeconfig?: string;
  /** The value of `--context`. */
  context?: string;
  env: Environment;
  /** Where Kubernetes mounts the account of a Pod. */
  serviceAccountFolder: string;
}

/**
 * How to reach the cluster: the kubeconfig that is named, else those that kubectl would read, else the service account of the Pod in
 * which this runs.
 * @throws {BylawError} `kubeconfig-missing`, `kubeconfig-invalid`, `context-unknown`
 */
export async function findAccess({ kubeconfig: named, context, env, serviceAccountFolder }: AccessOptions): Promise<Access> {
  const { kubeconfig, paths } = await loadKubeconfig(named, env);
  if (kubeconfig.contexts.size > 0 || named !== undefined) return chooseContext(kubeconfig, context);
  const within = context === undefined ? await inClusterAccess(env, serviceAccountFolder) : undefined;
  if (within) return within;
  throw k8sError('kubeconfig-missing', `No kubeconfig with a context was found in ${paths.join(', ')}.`, {
    hint: 'Set --kubeconfig or KUBECONFIG. In a Pod, bylaw uses the service account.',
  });
}
