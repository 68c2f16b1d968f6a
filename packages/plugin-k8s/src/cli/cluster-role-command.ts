import { type EvaluationFlags, evaluationFromFlags } from '@bylaw/core/command/evaluation';
import { BylawError } from '@bylaw/core/errors';
import { select } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { boundRole, clusterRole } from '../scan/index.js';
import { printManifests } from './print-manifests.js';

export interface ClusterRoleFlags extends Pick<EvaluationFlags, 'category' | 'severity' | 'rule' | 'framework'> {
  name: string;
  'service-account'?: string | undefined;
  output?: string | undefined;
  json: boolean;
}

/** Prints what a scan by the selected rules needs. */
export async function clusterRoleCommand(flags: ClusterRoleFlags, installation: Installation): Promise<void> {
  const account = accountOf(flags['service-account']);
  const { filter } = await evaluationFromFlags(flags, installation.loaded);
  const catalogue = await installation.catalogue();
  const role = clusterRole(flags.name, select(catalogue, filter), catalogue);
  await printManifests(account ? boundRole(role, account) : [role], flags);
}

function accountOf(text: string | undefined): { namespace: string; name: string } | undefined {
  const [namespace, name, ...rest] = text?.split('/') ?? [];
  if (namespace === undefined) return undefined;
  if (namespace && name && rest.length === 0) return { namespace, name };
  throw new BylawError('usage', '--service-account must be a namespace and a name, for example bylaw-system/bylaw-scan.');
}
