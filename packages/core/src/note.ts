/**
 * Every kind of note that a run can give, with its stable code. `docs/reference/errors.md` lists them after the errors. A note is no error: everything
 * that was to be evaluated was evaluated. It says what a reader of a clean report must not take for evaluated.
 */
export const NOTES = {
  'no-rules-selected': 'The filter selects none of the installed rules, so nothing was checked.',
  'category-not-installed': 'A selected category has no rule in this installation.',
} as const satisfies Record<string, string>;

export type NoteCode = keyof typeof NOTES;

/** Something that was not evaluated although no error was met. Members in the order of the JSON output. */
export interface Note {
  code: NoteCode;
  /** One or more sentences: what was left out and why, and what to do if it should not be. */
  message: string;
  /** How many files, documents or names it is about; at least 1. */
  count: number;
  /** The first of them, as the user knows them: names of files, codes of categories. At most 20. */
  first: string[];
}

/** As many names as a note lists; the rest are only counted. */
export const MOST_NAMED = 20;
