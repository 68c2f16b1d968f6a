import { callEndpoint, filtersBody, type RemoteServer } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import type { EvaluationEvent } from '@bylaw/core/evaluate';
import { eventsOf } from '@bylaw/core/report';
import { aboutCluster, type ScanRequest } from '../scan/index.js';
import { scanCluster } from '../scan/service/index.js';

/** Has a server scan the cluster that it knows: the same events as of a scan from here. */
export async function* scanOn(
  server: RemoteServer,
  request: ScanRequest,
  context: string | undefined,
): AsyncGenerator<EvaluationEvent, void, void> {
  const { namespaces, kinds, includePassed } = request;
  const body = {
    ...(context !== undefined && { context }),
    ...(namespaces && { namespaces }),
    ...(kinds && { kinds }),
    ...filtersBody(request),
    ...(includePassed && { include_passed: true }),
  };
  const report = await callEndpoint(server, scanCluster, body);
  for await (const event of eventsOf(report)) yield event.type === 'end' ? { ...event, about: aboutCluster(report.cluster) } : event;
}

interface LocalFlags {
  kubeconfig?: string | undefined;
  watch: boolean;
  'write-baseline'?: string | undefined;
  graph?: string | undefined;
}

/** @throws {BylawError} `usage` for what a server cannot do */
export function refuseLocalFlags(flags: LocalFlags): void {
  const flag = (['kubeconfig', 'watch', 'write-baseline', 'graph'] as const).find(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (flag === undefined) return;
  throw new BylawError('usage', `--${flag} cannot be used together with a remote server, which has its own connection to its cluster.`, {
    hint: `Remove --${flag}, or remove --remote and unset SVC_API_URL.`,
  });
}
