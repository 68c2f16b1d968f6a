import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { lineStarts } from '../text/lines.js';
import { offsetOf } from './events.js';

/**
 * Where a line (from 1) of the text that a node holds starts in the document: its first character that is not blank. Only a block scalar
 * has its lines in the document, a folded one as long as no lines were folded; for any other text this is the start of the value.
 * Undefined for a mapping, a list and an empty value.
 */
export function offsetOfLine(event: Event | undefined, text: string, line: number): number | undefined {
  if (event?.type === EVENT_ID.ALIAS) return offsetOf(event);
  if (event?.type !== EVENT_ID.SCALAR) return undefined;
  if (event.style !== SCALAR_STYLE.LITERAL_BLOCK && event.style !== SCALAR_STYLE.FOLDED_BLOCK) return offsetOf(event);
  const block = text.slice(event.valueStart, event.valueEnd);
  const starts = lineStarts(block);
  const rows = starts.map((start, index) => block.slice(start, starts[index + 1]).replace(/[\r\n]+$/, ''));
  const row = hasLine(event, text, rows, line) ? line - 1 : rows.findIndex((content) => content.trim() !== '');
  const indent = /^[ \t]*/.exec(rows[row] ?? '')?.[0].length ?? 0;
  return event.valueStart + (starts[row] ?? 0) + indent;
}

function hasLine(event: ScalarEvent, text: string, rows: readonly string[], line: number): boolean {
  if (line < 1 || line > rows.length) return false;
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK) return true;
  const values = getScalarValue(text, event).split('\n');
  return rows.slice(0, line).every((row, index) => row.slice(event.indent) === values[index]);
}
