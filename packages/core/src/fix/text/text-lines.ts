/** The column of an offset, from 0. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** What is on the line before an offset. */
export function lineBefore(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), offset);
}

/** The offset of the line break that ends the line of an offset, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** The start of the line after an offset; the end of the text where there is none. What ends with a line break has ended its line. */
export function nextLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
