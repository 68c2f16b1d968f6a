import {
  type EvaluationFlags,
  evaluationFromFlags,
  exitCodeOf,
  type ReportFlags,
  thresholdOf,
  writeReport,
} from '@bylaw/core/command/evaluation';
import type { Threshold } from '@bylaw/core/command/flags';
import type { GraphFile } from '@bylaw/core/command/graph';
import { writeFileWhole } from '@bylaw/core/command/output';
import { type RemoteServer, remoteServerOf, selectedRules } from '@bylaw/core/command/remote';
import { createEngine, writeBaseline } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { connect } from '../cluster/index.js';
import { type ScanRequest, type ScanTools, scan } from '../scan/index.js';
import { type ClusterFlags, clusterOptions } from './cluster-flags.js';
import { kindProgress } from './kind-progress.js';
import { refuseLocalFlags, scanOn } from './remote-scan.js';
import { type ScopeFlags, scopeOf } from './scope-flags.js';

export interface ScanFlags extends Omit<EvaluationFlags, 'namespace'>, ReportFlags, ScopeFlags, ClusterFlags {
  'fail-on'?: Threshold | undefined;
  'include-passed': boolean;
  'write-baseline'?: string | undefined;
  graph?: string | undefined;
  watch: boolean;
  rules?: string[] | undefined;
}

/**
 * Scans a cluster, or has a server scan one, and writes the report.
 * @returns the exit code of the process
 */
export async function scanCommand(flags: ScanFlags, installation: Installation): Promise<number> {
  const { loaded } = installation;
  const server = remoteServerOf(installation, flags);
  const request = await requestOf(flags, installation);
  const summary = await summaryOf(server, request, flags, installation);
  return exitCodeOf(summary, thresholdOf(flags, loaded));
}

async function summaryOf(server: RemoteServer | undefined, request: ScanRequest, flags: ScanFlags, installation: Installation) {
  if (server) return (await reportFrom(server, request, flags, installation)).summary;
  if (!flags.watch) return (await reportHere(request, flags, installation)).summary;
  const { watchCommand } = await import('./watch-command.js');
  return watchCommand(request, flags, installation);
}

/** What to scan: the flags, and where they say nothing, the configuration. */
async function requestOf(flags: ScanFlags, { loaded }: Installation): Promise<ScanRequest> {
  const { namespace: _, ...evaluationFlags } = flags;
  const { namespace: __, ...evaluation } = await evaluationFromFlags(evaluationFlags, loaded);
  return { ...evaluation, ...scopeOf(flags), includePassed: flags['include-passed'] };
}

async function reportHere(request: ScanRequest, flags: ScanFlags, { catalogue, clock, version, loaded, plugins }: Installation) {
  const graph = await graphFile(flags);
  const engine = createEngine({ catalogue: await catalogue(), clock });
  const rules = engine.select(request.filter);
  const cluster = await connect(clusterOptions(flags));
  const { onListed, around, stop } = kindProgress();
  const baseline = flags['write-baseline'];
  const keys: string[] = [];
  const collecting = {
    ...request,
    ...(baseline !== undefined && { onBaselineKeys: (more: readonly string[]) => void keys.push(...more) }),
  };
  try {
    const about = { version, rules, threshold: thresholdOf(flags, loaded), plugins };
    const tools = { cluster, engine, onListed };
    const end = await writeReport(graph ? drawnScan(graph, collecting, tools) : scan(collecting, tools), flags, about, around);
    if (baseline !== undefined) await writeFileWhole(baseline, async (out) => out.write(writeBaseline(keys)));
    await graph?.write();
    return end;
  } finally {
    stop();
    await cluster.close();
  }
}

/** Loaded only on request: other scans do not draw. */
async function graphFile(flags: ScanFlags): Promise<GraphFile | undefined> {
  if (flags.graph === undefined) return undefined;
  const { openGraphFile } = await import('@bylaw/core/command/graph');
  return openGraphFile(flags.graph, [flags.output, flags['write-baseline']]);
}

async function* drawnScan(graph: GraphFile, request: ScanRequest, tools: ScanTools) {
  const { GRAPH_KINDS } = await import('@bylaw/core/graph');
  const notListed = new Map<string, string>();
  const options = { namespace: 'default', complete: request.complete ?? request.namespaces === undefined, notListed };
  yield* graph.watch(options, (into) => {
    const onCounted: ScanRequest['onCounted'] = (_, identities) => into.evaluatedOnly(new Set(identities));
    return scan({ ...request, onCounted }, { ...tools, graph: { into, kinds: GRAPH_KINDS, notListed } });
  });
}

async function reportFrom(server: RemoteServer, request: ScanRequest, flags: ScanFlags, installation: Installation) {
  refuseLocalFlags(flags);
  const rules = await selectedRules(request.filter ?? {}, installation);
  const { version, loaded, plugins } = installation;
  const about = { version, rules, threshold: thresholdOf(flags, loaded), plugins };
  return writeReport(scanOn(server, request, flags.context), flags, about);
}
