import { RE2JS } from 're2js';
import { CelError } from './evaluator.js';

/** Instructions that a pattern may compile to: what `(a{1000}){1000}` would need is refused. */
const MAX_PROGRAM_SIZE = 20_000;
const MAX_LENGTH = 4_096;

/** A compiled RE2 pattern: matching takes time linear in the input, whoever wrote the pattern. */
export class Pattern {
  readonly #compiled: RE2JS;

  /** Use `compile`. */
  constructor(compiled: RE2JS) {
    this.#compiled = compiled;
  }

  /** @throws {CelError} without offset when the pattern is not RE2 or is too large. */
  static compile(source: string): Pattern {
    if (source.length > MAX_LENGTH) throw new CelError(`the pattern is longer than ${MAX_LENGTH} characters`);
    const compiled = compileRe2(source);
    if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new CelError('the pattern is too large: its repetitions multiply');
    return new Pattern(compiled);
  }

  /** Whether some part of the text matches. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** The first match, or undefined. */
  find(text: string): string | undefined {
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? (matcher.group() ?? undefined) : undefined;
  }

  /** The matches from left to right that do not overlap, at most `limit`. */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const matcher = this.#compiled.matcher(text);
    const matches: string[] = [];
    while (matches.length < limit && matcher.find()) matches.push(matcher.group() ?? '');
    return matches;
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
