/**
 * A text as OSCAL takes it for the value of a property: one line, without white space at its ends. Characters that end lines
 * or count as white space somewhere become plain spaces. May be empty, and an empty value may not be in a document.
 */
export function oneLine(text: string): string {
  return text.replace(WHITE, ' ').replace(/^ +| +$/g, '');
}

// Control characters are what the pattern is for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines or vanish
const WHITE = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g;
