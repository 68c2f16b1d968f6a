import { type EvaluationFlags, evaluationFromFlags, inputsAt, type RenderingFlags, renderingOf } from '@bylaw/core/command/evaluation';
import { evaluation, rendering } from '@bylaw/core/command/flags';
import { print, refuseInput, showProgress, type Terminal, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { askEndpoint, remoteServerOf, selectedRules } from '@bylaw/core/command/remote';
import type { ComplianceReport } from '@bylaw/core/compliance';
import { BylawError, type InputError } from '@bylaw/core/errors';
import type { EvaluationReport } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import { exceptionTexts, placeOf, plural } from '@bylaw/core/report';
import { printable } from '@bylaw/core/report/printable';
import { getCompliance } from './endpoints/compliance.js';
import { evaluationEvents } from './evaluation/evaluation-events.js';

export interface ComplianceFlags extends EvaluationFlags, RenderingFlags {
  /** One of the options of `--format`. */
  format: string;
  output?: string | undefined;
  rules?: string[] | undefined;
}

/**
 * Without paths shows which rules support which controls; with paths evaluates what they hold, and shows the status of each control.
 * @returns the exit code of the process
 * @throws {BylawError} `usage` for flags of an evaluation without a path
 */
export async function complianceCommand(paths: readonly string[], flags: ComplianceFlags, installation: Installation): Promise<0 | 1 | 2> {
  if (paths.length > 0) return evaluated(paths, flags, installation);
  refuseEvaluationFlags(flags);
  const map = await askEndpoint(getCompliance, flags.framework ? { framework: flags.framework } : {}, installation, flags);
  await write(flags, {
    text: async (to) => (await import('./output/compliance-text.js')).complianceText(map, flags.framework !== undefined, to),
    json: async () => `${JSON.stringify(map)}\n`,
    csv: async () => (await import('./output/compliance-csv.js')).complianceCsv(map),
    html: async () => (await import('./output/compliance-page.js')).compliancePage(map, installation.version),
  });
  return 0;
}

async function evaluated(paths: readonly string[], flags: ComplianceFlags, installation: Installation): Promise<0 | 1 | 2> {
  remoteServerOf(installation, flags); // what it refuses is told before anything is read
  await refuseInput(flags.output, [...paths, flags.baseline]);
  const { report, errors, notes, summary } = await evaluate(paths, flags, installation);
  const more = [...(flags.format === 'csv' ? [report.notice] : []), ...exceptionTexts(summary)];
  tellAside(errors, [...notes, ...more.map((message) => ({ message }))]);
  await write(flags, {
    text: async (to) =>
      (await import('./output/compliance-report-text.js')).complianceReportText(report, flags.framework !== undefined, to),
    json: async () => `${JSON.stringify(report)}\n`,
    csv: async () => (await import('./output/compliance-csv.js')).complianceReportCsv(report),
    html: async () => (await import('./output/compliance-page.js')).complianceReportPage(report, installation.version),
  });
  if (!report.complete) return 2;
  return report.frameworks.some(({ counts }) => counts.fail > 0) ? 1 : 0;
}

/** More would hide the result on the terminal. */
const MOST_ERRORS = 20;

/** What the output does not hold goes to standard error. */
function tellAside(errors: readonly InputError[], notes: readonly { message: string }[]): void {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  for (const { message, location } of errors.slice(0, MOST_ERRORS))
    say(`error: ${location === null ? '' : `${placeOf(location)}: `}${printable(message)}`);
  if (errors.length > MOST_ERRORS) say(`and ${plural(errors.length - MOST_ERRORS, 'more error')}`);
  for (const { message } of notes) say(`note: ${printable(message)}`);
}

async function evaluate(
  paths: readonly string[],
  flags: ComplianceFlags,
  installation: Installation,
): Promise<{ report: ComplianceReport } & Pick<EvaluationReport, 'errors' | 'notes' | 'summary'>> {
  const { inputs, inputErrors, inputNotes } = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  const request = await evaluationFromFlags(flags, installation.loaded, inputs);
  const rules = await selectedRules(request.filter, installation);
  const progress = await showProgress(inputs, rules.some((rule) => rule.set) ? 2 : 1);
  const events = evaluationEvents(
    {
      ...request,
      inputs: progress.inputs,
      inputErrors,
      inputNotes,
      includeCompliance: true,
      ...(progress.onProgress && { onProgress: progress.onProgress }),
    },
    installation,
    flags,
  );
  try {
    // The member is there, because it was asked for.
    for await (const event of events) if (event.type === 'end') return { ...event, report: event.more?.['compliance'] as ComplianceReport };
  } finally {
    progress.stop();
  }
  throw new BylawError('internal', 'The evaluation stopped before it was complete.');
}

/** Names of flags that have no meaning where nothing is evaluated. */
const EVALUATION_FLAGS: ReadonlySet<string> = new Set(Object.keys({ ...evaluation, ...rendering }).filter((name) => name !== 'framework'));

function refuseEvaluationFlags(flags: ComplianceFlags): void {
  const given = Object.entries(flags).find(([name, value]) => EVALUATION_FLAGS.has(name) && value !== undefined && value !== false);
  if (!given) return;
  throw new BylawError('usage', `--${given[0]} requires a path to evaluate.`, {
    hint: 'Pass a file or folder, for example `bylaw compliance deploy/`.',
  });
}

type Format = 'text' | 'json' | 'csv' | 'html';

type Render = { readonly [format in Format]: (to: Terminal) => Promise<string> };

async function write({ format, output }: ComplianceFlags, render: Render): Promise<void> {
  const text = render[format as Format]; // oclif has checked it
  if (output === undefined) return print(await text(terminal()));
  const whole = await text({ width: 100, colour: false });
  await writeFileWhole(output, async (out) => out.write(whole));
}
