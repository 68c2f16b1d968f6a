import { Flags } from '@oclif/core';
import type { ConnectOptions } from '../cluster/index.js';

/** Flags of the commands that look at a cluster. */
export const clusterFlags = {
  context: Flags.string({ description: 'Kubeconfig context to use. [default: the current context]', helpValue: 'NAME' }),
  kubeconfig: Flags.string({
    description:
      'Kubeconfig file. Without this flag: KUBECONFIG, then ~/.kube/config, then the service account of the Pod that bylaw runs in.',
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
