import type { RunEnd } from '@bylaw/core/command/evaluation';
import { printJson, standardOutput, terminal } from '@bylaw/core/command/output';
import { BylawError } from '@bylaw/core/errors';
import type { EvaluationEvent } from '@bylaw/core/evaluate';
import { resourceName } from '@bylaw/core/report';
import { newPage, padded, severityLabel, wrapped } from '@bylaw/core/report/page';
import { printable, shorten } from '@bylaw/core/report/printable';
import type { FindingChange } from '../scan/index.js';

/** The report as lines of JSON: `found` for each finding, then `scanned` with all the rest. */
export async function jsonLines(events: AsyncIterable<EvaluationEvent>): Promise<RunEnd> {
  for await (const event of events) {
    if (event.type === 'end') {
      const { errors, score, summary, more } = event;
      await printJson({ type: 'scanned', errors, score, summary, ...more });
      return event;
    }
    for (const finding of event.batch.findings()) await printJson({ type: 'found', finding });
  }
  throw new BylawError('internal', 'The scan stopped before it was complete.');
}

/** Writes changes: as lines of JSON, or for people. */
export function changeLines(format: string): (change: FindingChange) => Promise<void> {
  if (format === 'json') return printJson;
  const page = newPage(terminal());
  const out = standardOutput();
  return async ({ type, finding }) => {
    const sign = type === 'introduced' ? page.chalk.red('+') : page.chalk.green('-');
    const head = `${sign} ${severityLabel(page, finding)}  ${padded(printable(finding.rule_id), 7)}  `;
    const text = `${resourceName(finding.resource)}: ${shorten(printable(finding.message), MAX_MESSAGE)}`;
    await out.write(wrapped(page, text, INDENT, undefined, head));
  };
}

/** A message quotes the object, which may hold a megabyte in one text. */
const MAX_MESSAGE = 1_000;
/** Columns of sign, severity and identifier. */
const INDENT = 2 + 8 + 2 + 7 + 2;
