import { join } from 'node:path';
import { type EvaluationFlags, evaluationFromFlags, inputsAt, type RenderingFlags, renderingOf } from '@bylaw/core/command/evaluation';
import { showProgress, standardOutput, writeFileWhole } from '@bylaw/core/command/output';
import { BylawError, type InputError } from '@bylaw/core/errors';
import { createEngine, type EvaluationEvent } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import type { Output } from '@bylaw/core/report';
import { printable } from '@bylaw/core/report/printable';
import { connect } from '../cluster/index.js';
import { type EvaluationEnd, type PolicyReport, policyReports, type ReportApi, type ReportOptions } from '../export/policyreport/index.js';
import { scan } from '../scan/index.js';
import { type ClusterFlags, clusterOptions } from './cluster-flags.js';
import { isFolder, makeFolder } from './output-folder.js';
import { yamlOf } from './print-manifests.js';

export interface ExportPolicyReportFlags extends EvaluationFlags, RenderingFlags, ClusterFlags {
  api: ReportApi;
  name: string;
  cluster: boolean;
  timestamps: boolean;
  'include-passed': boolean;
  output?: string | undefined;
  json: boolean;
}

/**
 * Writes the findings about manifests, or about a cluster, as policy reports.
 * @returns the exit code of the process: 2 where something could not be read or evaluated
 */
export async function exportPolicyReportCommand(
  paths: readonly string[],
  flags: ExportPolicyReportFlags,
  installation: Installation,
): Promise<number> {
  const options = optionsOf(flags, installation);
  const inCluster = flags.cluster || flags.context !== undefined || flags.kubeconfig !== undefined;
  if (inCluster && paths.length > 0)
    throw new BylawError('usage', 'Pass either paths or a cluster, not both.', {
      hint: 'Remove the paths, or --cluster, --context and --kubeconfig.',
    });
  const write = (events: AsyncIterable<EvaluationEvent>) => writeReports(policyReports(events, options), flags);
  const end = inCluster ? await ofCluster(flags, installation, write) : await ofPaths(paths, flags, installation, write);
  for (const error of end?.errors ?? []) process.stderr.write(`${flags.json ? JSON.stringify(error) : errorLine(error)}\n`);
  return (end?.summary.errors ?? 0) > 0 ? 2 : 0;
}

function errorLine({ code, message, location }: InputError): string {
  const place = location ? `${location.file}:${location.line}:${location.column}: ` : '';
  return `error: ${printable(`${place}${message}`)} (${code})`;
}

type Write = (events: AsyncIterable<EvaluationEvent>) => Promise<EvaluationEnd | undefined>;

function optionsOf(flags: ExportPolicyReportFlags, { loaded, clock }: Installation): ReportOptions {
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,198}[a-z0-9])?$/.test(flags.name))
    throw new BylawError('usage', '--name must be a valid Kubernetes name.', {
      hint: 'Use at most 200 lower-case letters, digits, hyphens and dots, for example bylaw.',
    });
  return {
    api: flags.api,
    name: flags.name,
    namespace: flags.namespace ?? loaded.config.evaluate.namespace,
    ...(flags.timestamps && { time: clock.now() }),
  };
}

async function ofPaths(paths: readonly string[], flags: ExportPolicyReportFlags, installation: Installation, write: Write) {
  const { inputs, inputErrors, inputNotes } = await inputsAt(
    paths.length > 0 ? paths : ['.'],
    await renderingOf(flags, installation),
    await readersOf(installation),
  );
  const evaluation = await evaluationFromFlags(flags, installation.loaded);
  const engine = createEngine({ catalogue: await installation.catalogue(), clock: installation.clock });
  const progress = await showProgress(inputs, engine.select(evaluation.filter).some((rule) => rule.set) ? 2 : 1);
  const events = engine.evaluate({
    ...evaluation,
    inputs: progress.inputs,
    inputErrors,
    inputNotes,
    includePassed: flags['include-passed'],
    ...(progress.onProgress && { onProgress: progress.onProgress }),
  });
  return write(events).finally(progress.stop);
}

async function ofCluster(flags: ExportPolicyReportFlags, installation: Installation, write: Write) {
  const { namespace: _, ...evaluation } = await evaluationFromFlags(flags, installation.loaded);
  const engine = createEngine({ catalogue: await installation.catalogue(), clock: installation.clock });
  const cluster = await connect(clusterOptions(flags));
  try {
    return await write(scan({ ...evaluation, includePassed: flags['include-passed'] }, { cluster, engine }));
  } finally {
    await cluster.close();
  }
}

type Reports = AsyncGenerator<PolicyReport, EvaluationEnd | undefined>;

/** To standard output, into a file, or one file for each report into a folder. */
async function writeReports(reports: Reports, { output, json }: ExportPolicyReportFlags): Promise<EvaluationEnd | undefined> {
  if (output === undefined) return writeStream(reports, json, standardOutput());
  if (isFolder(output)) return writeFolder(reports, json, output);
  let end: EvaluationEnd | undefined;
  await writeFileWhole(output, async (out) => {
    end = await writeStream(reports, json, out);
  });
  return end;
}

async function writeStream(reports: Reports, json: boolean, out: Output): Promise<EvaluationEnd | undefined> {
  let count = 0;
  if (json) await out.write('{"apiVersion":"v1","kind":"List","items":[');
  const end = await eachReport(reports, async (report) => {
    const text = json ? JSON.stringify(report) : yamlOf([report]);
    await out.write(count++ === 0 ? text : `${json ? ',' : '---\n'}${text}`);
  });
  if (json) await out.write(']}\n');
  return end;
}

async function writeFolder(reports: Reports, json: boolean, folder: string): Promise<EvaluationEnd | undefined> {
  await makeFolder(folder);
  return eachReport(reports, async (report) => {
    const { name, namespace } = report.metadata;
    const file = join(folder, `${namespace === undefined ? '' : `${namespace}-`}${name}.${json ? 'json' : 'yaml'}`);
    await writeFileWhole(file, async (out) => out.write(json ? `${JSON.stringify(report)}\n` : yamlOf([report])));
  });
}

/** A loop over the reports would lose what follows after the last one. */
async function eachReport(reports: Reports, write: (report: PolicyReport) => Promise<void>): Promise<EvaluationEnd | undefined> {
  for (;;) {
    const { done, value } = await reports.next();
    if (done) return value;
    await write(value);
  }
}
