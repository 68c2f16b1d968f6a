import type { Threshold } from '@bylaw/core/command/flags';
import { exitCodeOf, inputsAt, type JudgingFlags, judgingOf } from '@bylaw/core/command/judging';
import { showProgress, standardOutput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { BylawError } from '@bylaw/core/errors';
import { type EvaluationEvent, writeBaseline } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { type Format, type Output, placeOf, plural, REPORTERS, scoreText } from '@bylaw/core/report';
import { printable } from '@bylaw/core/report/printable';
import type { Doors } from './doors/doors.js';
import { selectedRules } from './selected-rules.js';

export interface EvaluateFlags extends JudgingFlags {
  format: string;
  output?: string | undefined;
  'fail-on'?: Threshold | undefined;
  'write-baseline'?: string | undefined;
  'include-passed': boolean;
  verbose: boolean;
  threads?: number | undefined;
}

/**
 * Evaluates what stands under the paths, and writes the report.
 * @returns the exit code of the process
 */
export async function evaluateCommand(
  paths: readonly string[],
  flags: EvaluateFlags,
  installation: Installation,
  doors: Doors,
): Promise<number> {
  const { loaded, version } = installation;
  refuseRemoteBaseline(flags, installation);
  const { inputs, inputErrors } = await inputsAt(paths);
  const judging = await judgingOf(flags, loaded);
  const rules = await selectedRules(judging.filter, installation, doors);
  const progress = await showProgress(inputs, rules.some((rule) => rule.set) ? 2 : 1);
  const keys: string[] = [];
  const run = watched(
    doors.evaluate({
      ...judging,
      inputs: progress.inputs,
      inputErrors: inputErrors ?? [],
      includePassed: flags['include-passed'],
      ...(flags.threads !== undefined && { threads: flags.threads }),
      ...(progress.onProgress && { onProgress: progress.onProgress }),
      ...(flags['write-baseline'] !== undefined && { onBaselineKeys: (more) => void keys.push(...more) }),
    }),
  );
  const { report } = REPORTERS[flags.format as Format]; // one of the options of --format
  const write = (out: Output, { width, colour }: { width: number; colour: boolean }) =>
    report(run.events, out, { version, rules, colour, width, verbose: flags.verbose });
  try {
    if (flags.output === undefined) await write(progress.around(standardOutput()), terminal());
    else await writeFileWhole(flags.output, (out) => write(out, { width: 100, colour: false }));
  } finally {
    progress.stop();
  }
  if (flags['write-baseline'] !== undefined) await writeFileWhole(flags['write-baseline'], async (out) => out.write(writeBaseline(keys)));
  tellAside(run.end(), flags);
  const threshold = flags['write-baseline'] === undefined ? (flags['fail-on'] ?? loaded.config.evaluate.fail_on) : 'NONE';
  return exitCodeOf(run.end().summary, threshold);
}

function refuseRemoteBaseline(flags: EvaluateFlags, { loaded }: Installation): void {
  if (flags['write-baseline'] === undefined || loaded.remote.url === undefined) return;
  throw new BylawError('usage', '--write-baseline cannot be used together with a remote server.', {
    hint: 'Leave out --remote and SVC_API_URL: the baseline is the same wherever it is made.',
  });
}

/** On stderr: what a report for machines may not show to the person at the terminal. */
function tellAside({ errors, summary, score }: RunEnd, { format, output }: EvaluateFlags): void {
  if (format !== 'text' && format !== 'json')
    for (const { message, location } of errors.slice(0, MOST_ERRORS))
      process.stderr.write(`error: ${placeOf(location)}: ${printable(message)}\n`);
  if (output === undefined) return;
  const counts = `${plural(summary.findings, 'finding')}, ${plural(summary.errors, 'error')}`;
  process.stderr.write(`wrote ${output}: ${counts}, score ${scoreText(score.overall)}\n`);
}

/** The report holds the others. */
const MOST_ERRORS = 20;

type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

/** Lets the events through, and keeps the last one. */
function watched(source: AsyncIterable<EvaluationEvent>): { events: AsyncIterable<EvaluationEvent>; end: () => RunEnd } {
  let end: RunEnd | undefined;
  const events = async function* () {
    for await (const event of source) {
      if (event.type === 'end') end = event;
      yield event;
    }
  };
  return {
    events: events(),
    end: () => {
      if (!end) throw new BylawError('internal', 'The evaluation stopped before its end.');
      return end;
    },
  };
}
