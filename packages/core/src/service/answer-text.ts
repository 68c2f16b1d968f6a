import type { Comparison, EvaluationEvent } from '../evaluate/index.js';
import { json } from '../report/formats/json.js';
import type { Output } from '../report/reporter.js';

// Answers as text: the same bytes, whoever asks and however. They are written in pieces, because the whole may be longer than a text can be.

/** The text of a report. */
export async function reportText(events: AsyncIterable<EvaluationEvent>): Promise<string> {
  const chunks: string[] = [];
  await writeReport(events, { write: (chunk) => void chunks.push(chunk) });
  return chunks.join('');
}

export function writeReport(events: AsyncIterable<EvaluationEvent>, out: Output): Promise<void> {
  return json(events, out, { version: '', rules: [], colour: false, width: 80, verbose: true });
}

/** The text of a comparison. */
export function comparisonText(comparison: Comparison): string {
  return [...comparisonPieces(comparison)].join('');
}

export async function writeComparison(comparison: Comparison, out: Output): Promise<void> {
  for (const piece of comparisonPieces(comparison)) await out.write(piece);
}

/** Lists entry by entry. */
function* comparisonPieces(comparison: Comparison): Generator<string> {
  let before = '{';
  for (const [member, value] of Object.entries(comparison)) {
    yield `${before}${JSON.stringify(member)}:`;
    before = ',';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield '}\n';
}

function* listPieces(entries: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',';
  }
  yield entries.length === 0 ? '[]' : ']';
}
