import { Flags } from '@oclif/core';
import type { ScanScope } from '../scan/index.js';

/** Flags that say what of a cluster is looked at. */
export const scopeFlags = {
  namespace: Flags.string({
    char: 'n',
    description: 'Scan only this namespace, and no cluster-scoped resources. Can be given more than once.',
    helpValue: 'NAME',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    exclusive: ['all-namespaces'],
  }),
  'all-namespaces': Flags.boolean({ char: 'A', description: 'Scan all namespaces and the cluster-scoped resources. This is the default.' }),
  kind: Flags.string({
    char: 'k',
    description: 'Scan only these kinds, for example Deployment,ingresses,argoproj.io/Rollout.',
    helpValue: 'KIND',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
};

export interface ScopeFlags {
  namespace?: string[] | undefined;
  kind?: string[] | undefined;
}

export function scopeOf({ namespace, kind }: ScopeFlags): ScanScope {
  return { ...(namespace && { namespaces: namespace }), ...(kind && { kinds: kind }) };
}
