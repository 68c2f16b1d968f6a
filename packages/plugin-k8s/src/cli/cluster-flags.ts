import { Flags } from '@oclif/core';
import type { ConnectOptions } from '../cluster/index.js';

/** Flags of the commands that look at a cluster. */
export const clusterFlags = {
  context: Flags.string({ description: 'Context of the kubeconfig. [default: the current one]', helpValue: 'NAME' }),
  kubeconfig: Flags.string({
    description: 'Kubeconfig; otherwise KUBECONFIG, then ~/.kube/config, then the service account of the Pod that this runs in.',
    helpValue: 'FILE',
  }),
};

export interface ClusterFlags {
  context?: string | undefined;
  kubeconfig?: string | undefined;
}

export function clusterOptions({ context, kubeconfig }: ClusterFlags): ConnectOptions {
  return {
    env: process.env,
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    ...(context !== undefined && { context }),
    ...(kubeconfig !== undefined && { kubeconfig }),
  };
}
