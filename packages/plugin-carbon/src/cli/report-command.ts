import { printJson, standardOutput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { callEndpoint } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { Output } from '@bylaw/core/report';
import { reportCarbon } from '../endpoints/endpoints.js';
import type { ReadBefore } from '../estimate/index.js';
import { type CarbonReport, type RenderedReport, type ReportRequest, report } from '../report/index.js';
import { type EstimateCommandFlags, estimateInput } from './estimate-command.js';
import { estimateFlags } from './estimate-flags.js';
import { type ReportFlags, reportRequest } from './report-request.js';
import { reportText } from './report-text.js';

/** Absent: the length of the period, or a month. */
export type ReportCommandFlags = Omit<EstimateCommandFlags, 'period-hours'> & ReportFlags & { 'period-hours'?: string | undefined };

/** What a server answers, whether all of the input was read, and whether the target is met. */
export interface ReportRun {
  answer: CarbonReport | RenderedReport;
  whole: boolean;
  met: boolean;
}

/** What a server would be asked, answered here or there. */
export async function reportCommand(paths: readonly string[], flags: ReportCommandFlags, installation: Installation): Promise<ReportRun> {
  const asked = await reportRequest(flags);
  const { request, before, whole } = await inputOf(asked, paths, flags, installation);
  const { url, key } = installation.loaded.remote;
  const answer =
    url === undefined
      ? await report(request, before)
      : await callEndpoint({ url, key }, reportCarbon, request, { rendered: (request.format ?? 'json') !== 'json' });
  return { answer, whole, met: answer.target?.met !== false };
}

async function inputOf(asked: ReportRequest, paths: readonly string[], flags: ReportCommandFlags, installation: Installation) {
  const saved = asked.estimate !== undefined || asked.periods !== undefined;
  if (!saved) {
    const { request, before, whole } = await estimateInput(
      paths,
      { ...flags, 'period-hours': flags['period-hours'] ?? '730' },
      installation,
    );
    const { period_hours, ...inputs } = request;
    return { request: { ...(flags['period-hours'] === undefined ? inputs : request), ...asked }, before, whole };
  }
  const [other] = Object.entries(flags).flatMap(([name, value]) => (isTold(name, value) ? [`--${name}`] : []));
  if (paths.length > 0 || other !== undefined)
    throw new BylawError('usage', `--estimate replaces inputs and assumptions, so it cannot be combined with ${other ?? 'a path'}.`, {
      hint: 'Remove one of them.',
    });
  return { request: asked, before: {} satisfies ReadBefore, whole: true };
}

/** Whether it is a flag of estimates that was given, and says other than its default. */
function isTold(name: string, value: unknown): boolean {
  return Object.hasOwn(estimateFlags, name) && value !== undefined && value !== false && !(name === 'power-model' && value === 'best');
}

/** To a file as a whole, or to standard output. With `--json` what a server would answer. */
export async function writeReport({ answer, whole }: ReportRun, { format, output, json }: ReportFlags & { json: boolean }): Promise<void> {
  // A table or a manifest has no place for it.
  if (!whole && 'content' in answer)
    process.stderr.write('warning: Part of the input could not be read. Run with --format text to see which part.\n');
  if (json && output === undefined) return printJson(answer);
  const text =
    json || format === 'json'
      ? `${JSON.stringify(answer)}\n`
      : 'content' in answer
        ? answer.content
        : reportText(answer, terminal(output === undefined ? process.stdout : {}));
  const write = async (out: Output) => out.write(text);
  if (output === undefined) await write(standardOutput());
  else await writeFileWhole(output, write);
}
