import { type ReportFlags, thresholdOf, writeReport } from '@bylaw/core/command/evaluation';
import { BylawError } from '@bylaw/core/errors';
import { createEngine, type EvaluationEvent, type Summary } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/report';
import { printable } from '@bylaw/core/report/printable';
import { connect } from '../cluster/index.js';
import { type FindingsByObject, findingCollector, openScan, type ScanRequest, watchFindings } from '../scan/index.js';
import { type ClusterFlags, clusterOptions } from './cluster-flags.js';
import { kindProgress } from './kind-progress.js';
import { changeLines, jsonLines } from './watch-lines.js';

/**
 * Scans a cluster, writes the report, and then a line for each finding that comes or goes, until a signal.
 * @returns what its exit code depends on, as it is in the end
 */
export async function watchCommand(
  request: ScanRequest,
  flags: ReportFlags & ClusterFlags & Parameters<typeof thresholdOf>[0] & { graph?: string | undefined },
  { catalogue, clock, version, loaded, plugins }: Installation,
): Promise<Summary> {
  refuseFiles(flags);
  const engine = createEngine({ catalogue: await catalogue(), clock });
  const cluster = await connect(clusterOptions(flags));
  const standing: FindingsByObject = new Map();
  const { onBaselineKeys, take } = findingCollector(standing);
  const { onListed, around, stop } = kindProgress();
  try {
    const open = await openScan({ ...request, onBaselineKeys }, { cluster, engine, onListed });
    const events = told(open.events(), take);
    const about = { version, rules: engine.select(request.filter), threshold: thresholdOf(flags, loaded), plugins };
    const { summary } = flags.format === 'json' ? await jsonLines(events) : await writeReport(events, flags, about, around);
    stop();
    process.stderr.write(`watching ${plural(open.plan.evaluated.length, 'kind')}; press Ctrl-C to stop\n`);
    const signal = untilStopped();
    const write = changeLines(flags.format);
    for await (const change of watchFindings(open, standing, request, { cluster, engine, signal, onLost: onceEach() })) await write(change);
    return { ...summary, by_severity: severitiesOf(standing, summary.by_severity) };
  } finally {
    stop();
    await cluster.close();
  }
}

/** @throws {BylawError} `usage` for what has an end */
function refuseFiles({ format, output, graph }: ReportFlags & { graph?: string | undefined }): void {
  if ((format === 'text' || format === 'json') && output === undefined && graph === undefined) return;
  throw new BylawError('usage', '--watch writes only to standard output: text, or with --json one JSON value per line.', {
    hint: 'Remove --format, --output and --graph.',
  });
}

async function* told(events: AsyncIterable<EvaluationEvent>, take: (event: EvaluationEvent) => void): AsyncGenerator<EvaluationEvent> {
  for await (const event of events) {
    take(event);
    yield event;
  }
}

/** Aborted by SIGINT or SIGTERM, a second of which ends the process at once, and when nobody reads any longer. */
function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.once('error', stop);
  return stopping.signal;
}

/** Tells each loss once: every watch of a cluster that is gone says the same. */
function onceEach(): (error: Error) => void {
  const said = new Set<string>();
  return ({ message }) => {
    if (said.has(message)) return;
    said.add(message);
    process.stderr.write(`warning: ${printable(message)}\n`);
  };
}

function severitiesOf(standing: FindingsByObject, none: Summary['by_severity']): Summary['by_severity'] {
  const counts = { ...none, CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
  for (const findings of standing.values()) for (const { severity } of findings.values()) counts[severity] += 1;
  return counts;
}
