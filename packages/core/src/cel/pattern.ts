import { RE2JS } from 're2js';
import { CelError } from './evaluator.js';
import { nativePattern } from './native-pattern.js';
import { type Hint, hintOf } from './pattern-hint.js';

/** Instructions that a pattern may compile to: what `(a{1000}){1000}` would need is refused. */
const MAX_PROGRAM_SIZE = 20_000;
const MAX_LENGTH = 4_096;

/**
 * A compiled RE2 pattern: matching takes time linear in the input, whoever wrote the pattern. The engine's own regular expressions
 * do the work where they provably do so, too.
 */
export class Pattern {
  readonly #compiled: RE2JS;
  readonly #hint: Hint | undefined;
  readonly #native: RegExp | undefined;
  readonly #nativeAll: RegExp | undefined;

  /** Use `compile`. */
  constructor(compiled: RE2JS, native: RegExp | undefined) {
    this.#compiled = compiled;
    this.#hint = native ? undefined : hintOf(compiled);
    this.#native = native;
    this.#nativeAll = native && new RegExp(native.source, `${native.flags}g`);
  }

  /** @throws {CelError} without offset when the pattern is not RE2 or is too large. */
  static compile(source: string): Pattern {
    if (source.length > MAX_LENGTH) throw new CelError(`the pattern is longer than ${MAX_LENGTH} characters`);
    const compiled = compileRe2(source);
    if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new CelError('the pattern is too large: its repetitions multiply');
    return new Pattern(compiled, nativePattern(source));
  }

  /** Whether some part of the text matches. */
  test(text: string): boolean {
    if (this.#native) return this.#native.test(text);
    if (this.#hint?.(text) === false) return false;
    return this.#compiled.test(text);
  }

  /** The first match, or undefined. */
  find(text: string): string | undefined {
    return this.findAll(text, 1)[0];
  }

  /** The matches from left to right that do not overlap, at most `limit`. */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const matches: string[] = [];
    if (this.#nativeAll) {
      if (limit === Number.POSITIVE_INFINITY) return text.match(this.#nativeAll) ?? [];
      for (const [match] of text.matchAll(this.#nativeAll)) {
        if (matches.length >= limit) break;
        matches.push(match);
      }
      return matches;
    }
    if (this.#hint?.(text) === false) return [];
    const matcher = this.#compiled.matcher(text);
    while (matches.length < limit && matcher.find()) matches.push(matcher.group() ?? '');
    return matches;
  }

  /** The same matches, each with its offset in the text. */
  matches(text: string): { offset: number; text: string }[] {
    if (this.#nativeAll) return Array.from(text.matchAll(this.#nativeAll), (match) => ({ offset: match.index, text: match[0] }));
    const found: { offset: number; text: string }[] = [];
    if (this.#hint?.(text) === false) return found;
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) found.push({ offset: matcher.start(), text: matcher.group() ?? '' });
    return found;
  }

  /**
   * The text with its matches replaced, from left to right; undefined when there are more than `limit`. Each match takes time
   * linear in the text.
   * @param replacement is given the groups of a match, the whole of it first
   */
  replaceAll(text: string, replacement: (groups: readonly string[]) => string, limit = Number.POSITIVE_INFINITY): string | undefined {
    const matcher = this.#compiled.matcher(text);
    let replaced = '';
    let end = 0;
    for (let count = 0; matcher.find(); count++) {
      if (count === limit) return undefined;
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? '');
      replaced += text.slice(end, matcher.start()) + replacement(groups);
      end = matcher.end();
    }
    return end === 0 && replaced === '' ? text : replaced + text.slice(end);
  }
}

function compileRe2(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CelError(`not a valid RE2 pattern: ${reason}`, { cause: error });
  }
}
