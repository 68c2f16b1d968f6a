import {
  evaluationFromFlags,
  exitCodeOf,
  inputsAt,
  type RunEnd,
  renderingOf,
  thresholdOf,
  writeReport,
} from '@bylaw/core/command/evaluation';
import { refuseManifest, showProgress, standardOutput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { BylawError } from '@bylaw/core/errors';
import { createEngine, type EvaluationEvent, select } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import { plural, scoreText } from '@bylaw/core/report';
import { newPage } from '@bylaw/core/report/page';
import type { EvaluateFlags } from '../evaluate-command.js';
import { diffText } from './diff-text.js';
import { type FixOutcome, fixFiles } from './fix-files.js';
import { fixText } from './fix-text.js';

export interface FixFlags extends EvaluateFlags {
  'fix-unsafe': boolean;
  'dry-run': boolean;
}

/**
 * Fixes what has a safe fix in the files under the paths, then evaluates and reports what remains. With --dry-run the changes are printed and
 * nothing is written.
 * @returns the exit code of the process: that of the evaluation of what remains, or 2 where a file could not be written
 */
export async function fixCommand(paths: readonly string[], flags: FixFlags, installation: Installation): Promise<number> {
  refuseWhatCannotBe(paths, flags, installation);
  const { loaded, clock } = installation;
  const { inputs, inputErrors, inputNotes } = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  await refuseManifest(flags.output, inputs);
  const evaluation = await evaluationFromFlags(flags, loaded, inputs);
  const catalogue = await installation.catalogue();
  const rules = select(catalogue, evaluation.filter);
  const progress = await showProgress(inputs, rules.some((rule) => rule.set) ? 4 : 2);
  try {
    const outcome = await fixFiles(
      catalogue,
      { ...evaluation, inputs: progress.inputs, unsafe: flags['fix-unsafe'] },
      clock,
      flags['dry-run'],
    );
    const events = createEngine({ catalogue, clock }).evaluate({
      ...evaluation,
      inputs: outcome.inputs,
      inputErrors,
      inputNotes,
      includePassed: flags['include-passed'],
      failOnSkipped: flags['fail-on-skipped'],
      ...(flags.threads !== undefined && { threads: flags.threads }),
      ...(progress.onProgress && { onProgress: progress.onProgress }),
    });
    const threshold = thresholdOf(flags, loaded);
    const context = { version: installation.version, rules, threshold, plugins: installation.plugins };
    const end = await (flags['dry-run'] ? writeDiff : writeRemaining)(events, outcome, flags, context, progress.around);
    if (outcome.unwritten > 0) return 2;
    return exitCodeOf(end.summary, threshold);
  } finally {
    progress.stop();
  }
}

type Write = (
  events: AsyncIterable<EvaluationEvent>,
  outcome: FixOutcome,
  flags: FixFlags,
  context: Parameters<typeof writeReport>[2],
  around: NonNullable<Parameters<typeof writeReport>[3]>,
) => Promise<RunEnd>;

const writeRemaining: Write = async (events, outcome, flags, context, around) => {
  const { fixed, unfixed, tests } = outcome;
  const inReport = flags.format === 'text' && flags.output === undefined;
  const text = fixText(outcome, newPage(terminal(inReport ? process.stdout : process.stderr)), { dryRun: false, verbose: flags.verbose });
  if (inReport) await around(standardOutput()).write(text);
  else if (flags.format !== 'json') process.stderr.write(text);
  return writeReport(withMore(events, { fixed, unfixed, tests }), flags, context, around);
};

const writeDiff: Write = async (events, outcome, flags, context, around) => {
  const { fixed, unfixed, tests, diff } = outcome;
  if (flags.format === 'json') return writeReport(withMore(events, { fixed, unfixed, tests, diff }), flags, context, around);
  const end = await endOf(events);
  if (flags.output !== undefined) await writeFileWhole(flags.output, async (out) => out.write(diff));
  else await around(standardOutput()).write(diffText(diff, process.stdout.isTTY === true, terminal()));
  tellAside(outcome, end, flags);
  return end;
};

/** On stderr, so that the diff can be piped into the program that applies it. */
function tellAside(outcome: FixOutcome, { summary, score }: RunEnd, { verbose }: FixFlags): void {
  process.stderr.write(fixText(outcome, newPage(terminal(process.stderr)), { dryRun: true, verbose }));
  const errors = summary.errors > 0 ? `, ${plural(summary.errors, 'error')}` : '';
  process.stderr.write(`\n${plural(summary.findings, 'finding')} would remain${errors}, score ${scoreText(score.overall)}\n`);
  if (outcome.diffIsPartial)
    process.stderr.write(
      'The diff is incomplete: it omits values of Secrets, or a file has too many changes. --fix applies all changes.\n',
    );
}

async function* withMore(events: AsyncIterable<EvaluationEvent>, more: object): AsyncGenerator<EvaluationEvent, void, void> {
  for await (const event of events) yield event.type === 'end' ? { ...event, more: { ...event.more, ...more } } : event;
}

async function endOf(events: AsyncIterable<EvaluationEvent>): Promise<RunEnd> {
  for await (const event of events) if (event.type === 'end') return event;
  throw new BylawError('internal', 'The evaluation stopped before it was complete.');
}

function refuseWhatCannotBe(paths: readonly string[], flags: FixFlags, { loaded }: Installation): void {
  if (loaded.remote.url !== undefined)
    throw new BylawError('usage', '--fix cannot be used together with a remote server: it changes files on this machine.', {
      hint: 'Remove --remote and unset SVC_API_URL.',
    });
  if (paths.includes('-'))
    throw new BylawError('usage', '--fix cannot be used with standard input (-): there is no file to change.', {
      hint: 'Save the input to a file, and pass that file.',
    });
  if (flags['write-baseline'] !== undefined)
    throw new BylawError('usage', '--fix cannot be used together with --write-baseline.', {
      hint: 'Run the command once with each flag.',
    });
  if (flags.graph !== undefined)
    throw new BylawError('usage', '--graph cannot be used together with --fix.', {
      hint: 'Fix first, then run the command again with --graph.',
    });
  if (flags['changed-since'] !== undefined)
    throw new BylawError('usage', '--fix cannot be used together with --changed-since.', {
      hint: 'Pass the files to fix, for example those that `git diff --name-only` lists.',
    });
  if (flags['dry-run'] && !['text', 'json'].includes(flags.format))
    throw new BylawError('usage', `--dry-run prints a diff, so it cannot be used with --format ${flags.format}.`, {
      hint: 'Remove --format, or use --json.',
    });
}
