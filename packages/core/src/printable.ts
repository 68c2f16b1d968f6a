// Colours, cursor movements and window titles, with their parameters. The classes of each part are disjoint, so matching is linear.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/gu;

/** Characters that would not show as themselves: control, direction and other format characters (but joiners), lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u;
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/**
 * Text of the input as one line that is safe to show: without escape sequences, with a space for a line break or tab, and without any
 * other character that could hide, reorder or imitate what stands around it.
 */
export function printable(text: string): string {
  if (!UNPRINTABLE.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(ALL_UNPRINTABLE, '');
}

/** At most `length` characters, with an ellipsis where something was cut; never half a surrogate pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
