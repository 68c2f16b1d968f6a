/** A place in a source text. Both count from 1; the column counts UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** The line breaks of YAML: LF, CR LF and CR. */
const LINE_BREAK = /\r\n?|\n/g;

/** Turns offsets of a text into positions. The first character of the text is at `origin`. */
export interface LineIndex {
  positionAt(offset: number): Position;
}

/**
 * The lines are found once, when the first position is requested. `padding` = blanks at the start of a line (by its number,
 * from 0) that the file does not have.
 */
export function indexLines(text: string, origin: Position, padding?: ReadonlyMap<number, number>): LineIndex {
  let starts: number[] | undefined;
  return {
    positionAt(offset) {
      starts ??= lineStarts(text);
      const line = lineOf(starts, offset);
      const indent = padding?.get(line) ?? 0;
      const column = Math.max(offset - (starts[line] ?? 0) - indent, 0) + (line === 0 ? origin.column : 1);
      return { line: origin.line + line, column };
    },
  };
}

export function countLineBreaks(text: string): number {
  return lineStarts(text).length - 1;
}

/** The number of UTF-16 units after the last line break. */
export function lastLineLength(text: string): number {
  return text.length - (lineStarts(text).at(-1) ?? 0);
}

/** The offset at which each line starts. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  if (text.includes('\r')) {
    for (const match of text.matchAll(LINE_BREAK)) starts.push(match.index + match[0].length);
    return starts;
  }
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
