import { BylawError } from '../../errors.js';
import type { EvaluationEvent } from '../../evaluate/index.js';
import { printable } from '../../printable.js';
import {
  exceptionTexts,
  type Format,
  type Output,
  placeOf,
  REPORTERS,
  type ReportContext,
  scoreText,
  type Threshold,
  uncheckedText,
  undecidedText,
  verdictOf,
} from '../../report/index.js';
import { standardOutput, terminal, writeFileWhole } from '../output/index.js';

/** Flags of the commands that report findings. */
export interface ReportFlags {
  /** One of the options of `--format`. */
  format: string;
  output?: string | undefined;
  verbose: boolean;
  commit?: string | undefined;
  date?: string | undefined;
}

export type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

/**
 * Writes a run in the format of the flags, to standard output or to the file that they name. What a report for machines or in a file does not
 * show to the person at the terminal goes to standard error. A run that cannot begin leaves no half of a report: nothing is printed before the
 * first event, and a file is written whole.
 * @param around an output that makes room on the terminal before it is written to
 * @returns the end of the run, once all is written
 * @throws {BylawError} `output-unwritable`; whatever the run throws
 */
export async function writeReport(
  events: AsyncIterable<EvaluationEvent>,
  flags: ReportFlags,
  about: Pick<ReportContext, 'version' | 'rules' | 'fixable'> & { threshold: Threshold },
  around: (out: Output) => Output = (out) => out,
): Promise<RunEnd> {
  const run = watched(flags.output === undefined ? await begun(events) : events);
  const { report } = REPORTERS[flags.format as Format]; // oclif has checked it
  const write = (out: Output, { width, colour }: Pick<ReportContext, 'width' | 'colour'>) =>
    report(run.events, out, { ...about, subject: subjectOf(flags), colour, width, verbose: flags.verbose });
  if (flags.output === undefined) await write(around(standardOutput()), terminal());
  else await writeFileWhole(flags.output, (out) => write(out, { width: 100, colour: false }));
  tellAside(run.end(), flags, about.threshold);
  return run.end();
}

function subjectOf({ commit, date }: ReportFlags): NonNullable<ReportContext['subject']> {
  return { ...(commit !== undefined && { commit }), ...(date !== undefined && { date }) };
}

/** The same events, once there is a first one. */
async function begun(events: AsyncIterable<EvaluationEvent>): Promise<AsyncIterable<EvaluationEvent>> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.(); // threads of the run end with it
    }
  })();
}

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
      if (!end) throw new BylawError('internal', 'The evaluation stopped before it was complete.');
      return end;
    },
  };
}

/** The report holds the others. */
const MOST_ERRORS = 20;
const MOST_NOTES = 20;

/** Formats that the person at the terminal reads, or that hold everything a program needs. */
const COMPLETE: readonly string[] = ['text', 'json'];

function tellAside({ errors, notes, summary, score }: RunEnd, { format, output }: ReportFlags, threshold: Threshold): void {
  const say = (kind: string, message: string) => process.stderr.write(`${kind}: ${printable(message)}\n`);
  if (!COMPLETE.includes(format)) {
    for (const { message, location } of errors.slice(0, MOST_ERRORS))
      say('error', `${location === null ? '' : `${placeOf(location)}: `}${message}`);
    for (const { message } of notes.slice(0, MOST_NOTES)) say('note', message);
    const unchecked = uncheckedText(summary);
    if (unchecked !== '') say('note', unchecked);
    const undecided = undecidedText(summary);
    if (undecided !== '') say('note', undecided);
    for (const text of exceptionTexts(summary)) say('note', text);
  }
  if (output === undefined) return;
  const { word, why } = verdictOf(summary, threshold);
  process.stderr.write(`wrote ${output}: ${word}  ${why}; score ${scoreText(score.overall)}\n`);
}
