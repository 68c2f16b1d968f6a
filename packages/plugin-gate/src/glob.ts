/** Whether a text is covered by one of some globs. */
export type GlobSet = (text: string) => boolean;

/**
 * Compiles globs: `*` is any text within a segment, `**` any text across segments, everything else is itself.
 * No glob takes more time than the product of its length and that of the text.
 * @param separator what ends a segment
 */
export function compileGlobs(globs: readonly string[], separator: '.' | '/'): GlobSet {
  const exact = new Set(globs.filter((glob) => !glob.includes('*')));
  const patterns = globs.filter((glob) => glob.includes('*')).map((glob) => compileGlob(glob, separator));
  if (patterns.length === 0) return (text) => exact.has(text);
  return (text) => exact.has(text) || patterns.some((matches) => matches(text));
}

/** Stand for `*` and `**` among the characters of a pattern. */
const WITHIN = -1;
const ACROSS = -2;

function compileGlob(glob: string, separator: '.' | '/'): GlobSet {
  const star = glob.indexOf('*');
  const prefix = glob.slice(0, star);
  const rest = glob.slice(star);
  if (/^\*\*+$/.test(rest)) return (text) => text.startsWith(prefix);
  const tokens = tokensOf(rest);
  const end = separator.charCodeAt(0);
  return (text) => text.startsWith(prefix) && matchTokens(tokens, text, prefix.length, end);
}

function tokensOf(glob: string): number[] {
  return (glob.match(/\*+|[^*]/gs) ?? []).map((part) => (part === '*' ? WITHIN : part.startsWith('*') ? ACROSS : part.charCodeAt(0)));
}

/** Follows all ways through the pattern at once, character by character: no way is tried twice. */
function matchTokens(tokens: readonly number[], text: string, from: number, separator: number): boolean {
  let now = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  now[0] = 1;
  skipStars(tokens, now);
  for (let at = from; at < text.length; at++) {
    next.fill(0);
    if (!step(tokens, text.charCodeAt(at), separator, now, next)) return false;
    [now, next] = [next, now];
  }
  return now[tokens.length] === 1;
}

/** @returns whether any way is left */
function step(tokens: readonly number[], character: number, separator: number, now: Uint8Array, next: Uint8Array): boolean {
  let alive = false;
  for (let index = 0; index < tokens.length; index++) {
    if (now[index] !== 1) continue;
    const token = tokens[index];
    if (token === ACROSS || (token === WITHIN && character !== separator)) next[index] = 1;
    else if (token === character) next[index + 1] = 1;
    else continue;
    alive = true;
  }
  skipStars(tokens, next);
  return alive;
}

/** A star may also stand for nothing. */
function skipStars(tokens: readonly number[], states: Uint8Array): void {
  for (let index = 0; index < tokens.length; index++) if ((tokens[index] ?? 0) < 0 && states[index] === 1) states[index + 1] = 1;
}
