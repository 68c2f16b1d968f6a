const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The form of every time in the gate: RFC 3339, UTC, milliseconds, as `2026-01-02T03:04:05.678Z`. */
export const INSTANT_PATTERN = FORM.source;

/**
 * Reads a time of that form.
 * @returns milliseconds since 1970, or undefined when the form is another, or names an instant that is not one (30 February, a 60th second)
 */
export function readInstant(text: string): number | undefined {
  if (!FORM.test(text)) return undefined;
  const time = Date.parse(text);
  // A day that the month lacks, and a 24th hour, are read as a later day; all else that is not one is not read.
  return new Date(time).getUTCDate() === Number(text.slice(8, 10)) ? time : undefined;
}
