import { inputsAt, type JudgingFlags, judgingOf, type RenderingFlags, renderingOf, tellErrors } from '@bylaw/core/command/judging';
import { print, refuseInput, showProgress, type Terminal, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { selectedRules } from '@bylaw/core/command/remote';
import type { ComplianceReport } from '@bylaw/core/compliance';
import { BylawError, type InputError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { Doors } from './doors/doors.js';

export interface ComplianceFlags extends JudgingFlags, RenderingFlags {
  /** One of the options of `--format`. */
  format: string;
  output?: string | undefined;
}

/**
 * Without paths shows which rules support which controls; with paths evaluates what they hold, and shows the status of each control.
 * @returns the exit code of the process
 * @throws {BylawError} `usage` for flags of an evaluation without a path
 */
export async function complianceCommand(
  paths: readonly string[],
  flags: ComplianceFlags,
  installation: Installation,
  doors: Doors,
): Promise<0 | 1 | 2> {
  if (paths.length > 0) return evaluated(paths, flags, installation, doors);
  refuseEvaluationFlags(flags);
  const map = await doors.compliance(flags.framework);
  await write(flags, {
    text: async (to) => (await import('./output/compliance-text.js')).complianceText(map, flags.framework !== undefined, to),
    json: async () => `${JSON.stringify(map)}\n`,
    csv: async () => (await import('./output/compliance-csv.js')).complianceCsv(map),
    html: async () => (await import('./output/compliance-page.js')).compliancePage(map, installation.version),
  });
  return 0;
}

async function evaluated(paths: readonly string[], flags: ComplianceFlags, installation: Installation, doors: Doors): Promise<0 | 1 | 2> {
  await refuseInput(flags.output, [...paths, flags.baseline]);
  const { report, errors } = await evaluate(paths, flags, installation, doors);
  tellErrors(errors);
  if (flags.format === 'csv') process.stderr.write(`note: ${report.notice}\n`);
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

async function evaluate(
  paths: readonly string[],
  flags: ComplianceFlags,
  installation: Installation,
  doors: Doors,
): Promise<{ report: ComplianceReport; errors: readonly InputError[] }> {
  const { inputs, inputErrors } = await inputsAt(paths, await renderingOf(flags, installation));
  const judging = await judgingOf(flags, installation.loaded);
  const rules = await selectedRules(judging.filter, installation, doors.listRules);
  const progress = await showProgress(inputs, rules.some((rule) => rule.set) ? 2 : 1);
  const events = doors.evaluate({
    ...judging,
    inputs: progress.inputs,
    inputErrors: inputErrors ?? [],
    includeCompliance: true,
    ...(progress.onProgress && { onProgress: progress.onProgress }),
  });
  try {
    for await (const event of events)
      if (event.type === 'end') return { report: event.more?.['compliance'] as ComplianceReport, errors: event.errors }; // it was asked for
  } finally {
    progress.stop();
  }
  throw new BylawError('internal', 'The evaluation stopped before its end.');
}

/** What has no meaning where nothing is evaluated. */
const EVALUATION_FLAGS = ['category', 'severity', 'rule', 'baseline', 'namespace', 'helm-values', 'helm-set', 'helm-set-string'] as const;

function refuseEvaluationFlags(flags: ComplianceFlags): void {
  const given = EVALUATION_FLAGS.find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  throw new BylawError('usage', `--${given} is about an evaluation, and there is nothing to evaluate.`, {
    hint: 'Name a file or folder, such as `bylaw compliance deploy/`.',
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
