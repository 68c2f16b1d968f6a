import { BylawError } from '../errors.js';
import type { EvaluationEvent, Finding } from '../evaluate/index.js';
import type { Rule } from '../rule/index.js';
import type { Threshold } from './verdict.js';

/**
 * Writes a run in one format. Same events, same bytes, however the findings are batched: no clock, no locale, no random.
 * Every format may be given input of strangers: what comes from it cannot break out of its place in the output.
 */
export type Reporter = (events: AsyncIterable<EvaluationEvent>, out: Output, context: ReportContext) => Promise<void>;

/** A format of reports, as `--format` offers it. The formats of core and those of plugins have the same form. */
export interface ReportFormat {
  /** Lower-case letters, digits and hyphens; unique over core and all plugins. */
  readonly name: string;
  /** `application/sarif+json`. */
  readonly mediaType: string;
  /** One line for help texts, without a stop at its end. */
  readonly description: string;
  /** Of a file, without the dot. */
  readonly fileExtension: string;
  readonly report: Reporter;
}

/**
 * Types a format of reports.
 *
 * @example
 * export const lines = defineReporter({
 *   name: 'lines',
 *   mediaType: 'text/plain; charset=utf-8',
 *   description: 'one line per finding',
 *   fileExtension: 'txt',
 *   report: async (events, out) => {
 *     const end = await eachBatch(events, async (findings) => {
 *       for (const { rule_id, message } of findings) await out.write(`${rule_id} ${printable(message)}\n`);
 *     });
 *     for (const { text } of caveatsOf(end)) await out.write(`${printable(text)}\n`);
 *   },
 * });
 */
export function defineReporter(format: ReportFormat): ReportFormat {
  return format;
}

/** Where a report goes. The writer awaits a returned promise before it writes more, so a slow reader slows the run down instead of filling memory. */
export interface Output {
  write(chunk: string): void | Promise<void>;
}

export interface ReportContext {
  /** Version of the product. */
  version: string;
  /** The rules selected for the run, in catalogue order. */
  rules: readonly Rule[];
  /** ANSI colours (text only). */
  colour: boolean;
  /** Columns of the terminal (text only). */
  width: number;
  /** Every finding, where the format would fold or hide some. */
  verbose: boolean;
  /** The least severe finding that fails the run. Absent: HIGH. */
  threshold?: Threshold;
  /** What was evaluated, as the caller says it: shown by formats that are kept (html). */
  subject?: { commit?: string; date?: string };
  /** Identifiers of rules whose findings in files the command could fix: safely, and by fixes that need a test. */
  fixable?: { safe: ReadonlySet<string>; unsafe: ReadonlySet<string> };
}

/** The last event of a run. */
export type RunEnd = Extract<EvaluationEvent, { type: 'end' }>;

/**
 * Hands the findings of a run to `visit`, batch by batch, and returns its end.
 * @throws {BylawError} `internal` for a run that stops without an end; whatever the run itself throws
 */
export async function eachBatch(
  events: AsyncIterable<EvaluationEvent>,
  visit: (findings: readonly Finding[]) => void | Promise<void>,
): Promise<RunEnd> {
  for await (const event of events) {
    if (event.type === 'end') return event;
    await visit(event.batch.findings());
  }
  throw new BylawError('internal', 'The evaluation stopped before it was complete.');
}
