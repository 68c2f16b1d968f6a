import { BylawError } from '../../errors.js';
import type { EvaluationEvent } from '../../evaluate/index.js';
import type { InstalledPlugin } from '../../plugin/index.js';
import { printable } from '../../printable.js';
import {
  type Caveat,
  caveatsOf,
  FORMATS,
  type Output,
  REPORTERS,
  type ReportContext,
  type ReportFormat,
  type RunEnd,
  scoreText,
  type Threshold,
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

/**
 * Writes a run in the format of the flags, to standard output or to the file that they name. What a report for machines or in a file does not
 * show to the person at the terminal goes to standard error. A run that cannot begin leaves no half of a report: nothing is printed before the
 * first event, and a file is written whole.
 * @param around an output that makes room on the terminal before it is written to
 * @returns the end of the run, once all is written
 * @throws {BylawError} `output-unwritable`; `usage` for a format of a plugin that is not in use; whatever the run throws
 */
export async function writeReport(
  events: AsyncIterable<EvaluationEvent>,
  flags: ReportFlags,
  about: Pick<ReportContext, 'version' | 'rules' | 'fixable'> & { threshold: Threshold; plugins: FormatPlugins },
  around: (out: Output) => Output = (out) => out,
): Promise<RunEnd> {
  const run = watched(flags.output === undefined ? await begun(events) : events);
  const { plugins, ...context } = about;
  const { report } = formatNamed(flags.format, plugins);
  const write = async (out: Output, { width, colour }: Pick<ReportContext, 'width' | 'colour'>) => {
    await report(run.events, out, { ...context, subject: subjectOf(flags), colour, width, verbose: flags.verbose });
    if (!run.end()) throw stoppedEarly(flags.format);
  };
  if (flags.output === undefined) await write(around(standardOutput()), terminal());
  else await writeFileWhole(flags.output, (out) => write(out, { width: 100, colour: false }));
  const end = run.end();
  if (!end) throw stoppedEarly(flags.format);
  tellAside(end, flags, about.threshold);
  return end;
}

/** It would look like the report of a run that found nothing more. Those of core fail by themselves. */
function stoppedEarly(format: string): BylawError {
  return new BylawError('plugin-invalid', `The format \`${format}\` stopped before the end of the run.`, {
    hint: 'Report this to the authors of the plugin that adds the format.',
  });
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

/** Lets the events through, and keeps the last one once it has been taken. */
function watched(source: AsyncIterable<EvaluationEvent>): { events: AsyncIterable<EvaluationEvent>; end: () => RunEnd | undefined } {
  let end: RunEnd | undefined;
  const events = async function* () {
    for await (const event of source) {
      if (event.type === 'end') end = event;
      yield event;
    }
  };
  return { events: events(), end: () => end };
}

/** Of each kind of caveat. The report holds the others. */
const MOST_CAVEATS = 20;

/** Formats that the person at the terminal reads, or that hold everything a program needs. */
const COMPLETE: readonly string[] = ['text', 'json'];

function tellAside(end: RunEnd, { format, output }: ReportFlags, threshold: Threshold): void {
  if (!COMPLETE.includes(format)) for (const caveats of Map.groupBy(caveatsOf(end), ({ kind }) => kind).values()) tellSome(caveats);
  if (output === undefined) return;
  const { summary, score } = end;
  const { word, why } = verdictOf(summary, threshold);
  process.stderr.write(`wrote ${output}: ${word}  ${why}; score ${scoreText(score.overall)}\n`);
}

function tellSome(caveats: readonly Caveat[]): void {
  for (const { kind, text } of caveats.slice(0, MOST_CAVEATS))
    process.stderr.write(`${kind === 'error' ? 'error' : 'note'}: ${printable(text)}\n`);
}

/** The plugins whose formats can be written: those in use. */
export type FormatPlugins = readonly Pick<InstalledPlugin, 'plugin'>[];

/**
 * The format of this name, of core or of a plugin in use.
 * @throws {BylawError} `usage`
 */
export function formatNamed(name: string, plugins: FormatPlugins): ReportFormat {
  const formats = [...FORMATS.map((format) => REPORTERS[format]), ...plugins.flatMap(({ plugin }) => plugin.reporters ?? [])];
  const found = formats.find((format) => format.name === name);
  if (found) return found;
  throw new BylawError('usage', `No plugin in use has the format \`${name}\`.`, {
    hint: `Known formats: ${formats.map((format) => format.name).join(', ')}. \`plugins\` in bylaw.yaml says which plugins are in use.`,
  });
}
