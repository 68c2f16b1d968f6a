/**
 * Options of commands whose value is a secret, as RE2 and JavaScript both read it: `--password`, `--db-token`,
 * `-secret-access-key`. `--token-file` and `--password-stdin` name no secret.
 */
const NAMES =
  '(?:[A-Za-z0-9]+[-_])*(?:pass(?:w(?:or)?d|phrase)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)(?:[-_](?:access[-_])?key)?';

/** The rule that masks them. */
export const OPTION = 'option';

/** What a shell takes as one piece whatever is in it. A quote that does not end takes all the rest. */
const QUOTED = '\'[^\']*(?:\'|\\z)|"(?:[^"\\\\]|\\\\.)*(?:"|\\z)|\\\\.';

/** One word of a shell, which does not begin with a hyphen. */
const VALUE = `(?:[^\\s'"\\\\-]|${QUOTED})(?:[^\\s'"\\\\]|${QUOTED})*`;

/** The option and its value in one text. In the middle of a text, a single hyphen is an option only after white space. */
export const OPTION_FORM = {
  id: OPTION,
  // Bounded: a text of hyphens alone must not take time that grows with the square of its length.
  hint: '-[A-Za-z0-9_-]{1,64}[ \\t]',
  pattern: `(?is)((?:--|(?:^|\\s)-)${NAMES}[ \\t]+)${VALUE}`,
};

const WORD = new RegExp(`^--?${NAMES}$`, 'i');

/** Whether a word of a list is an option whose value is the next word. What begins with a hyphen is the next option, not a value. */
export function isSecretOption(word: unknown, next: unknown): boolean {
  return typeof word === 'string' && word.startsWith('-') && WORD.test(word) && typeof next === 'string' && !next.startsWith('-');
}
