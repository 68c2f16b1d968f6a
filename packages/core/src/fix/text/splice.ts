/** A part of a text to be replaced. Start and end are the same where something is put in. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** The text with all the parts replaced. What is put in at one place is there in the order given. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error('two changes affect the same part of a text');
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
