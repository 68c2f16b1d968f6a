import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { countSearched, spend } from '../budget/budget.js';
import { CountedText } from '../budget/counted-text.js';
import { CelError } from '../evaluator.js';
import { type NativePattern, nativePattern } from './native-pattern.js';
import { averageWidth, isNarrow } from './pattern-automaton.js';
import { type Filter, filterOf, type Hint, hintOf } from './pattern-hint.js';

/** Instructions that a pattern may compile to: what `(a{1000}){1000}` would need is refused. */
const MAX_PROGRAM_SIZE = 20_000;
const MAX_LENGTH = 4_096;

/**
 * Characters, times instructions of the pattern, that may be searched under one budget before it matters which patterns are slow: to know that takes
 * longer than to search a few texts.
 */
const SEARCHED_FREELY = 40_000_000;

/** Larger patterns are not looked at more closely: they are slow. */
const MAX_NARROW_SIZE = 400;

/** Steps of testing one character, of a narrow pattern, and for each instruction of another one. */
const [TEST, TEST_PER_INSTRUCTION] = [2, 6];

/** Steps of finding matches: for each character, and for each instruction that is looked at there. */
const [FIND, FIND_PER_INSTRUCTION] = [5, 4];

interface Native extends NativePattern {
  /** The same, for all matches. */
  readonly all: RegExp;
}

/**
 * A compiled RE2 pattern: matching takes time linear in the input, whoever wrote the pattern. The engine's own regular expressions
 * do the work where they provably do so, too.
 */
export class Pattern {
  #re2: RE2JS | undefined;
  /** Null until something needs it, like the next one. */
  #hint: Hint | undefined | null = null;
  #native: Native | undefined | null = null;
  #narrow: boolean | undefined;
  #filter: Filter | null | undefined;

  /** Use `compile`, or `ofValid`. */
  constructor(
    readonly source: string,
    known: { re2?: RE2JS; filter?: Filter | null } = {},
  ) {
    this.#re2 = known.re2;
    this.#filter = known.filter;
  }

  /** @throws {CelError} without offset when the pattern is not RE2 or is too large. */
  static compile(source: string): Pattern {
    if (source.length > MAX_LENGTH) throw new CelError(`the pattern is longer than ${MAX_LENGTH} characters`);
    const compiled = compileRe2(source);
    if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new CelError('the pattern is too large: its repetitions multiply');
    return new Pattern(source, { re2: compiled });
  }

  /**
   * A pattern that `compile` has accepted before. RE2 is loaded, and compiles it, when a text is searched for it first.
   * @param filter what `filter` said then, so that RE2 is not needed for texts that cannot match
   */
  static ofValid(source: string, filter?: Filter | null): Pattern {
    return new Pattern(source, filter === undefined ? {} : { filter });
  }

  /** The literals that a match must hold; undefined for a pattern that runs without RE2. */
  get filter(): Filter | null | undefined {
    if (this.#inEngine) return undefined;
    if (this.#filter === undefined) this.#filter = filterOf(this.#compiled);
    return this.#filter;
  }

  /** Whether some part of the text matches. */
  test(text: string): boolean {
    const native = this.#inEngine;
    if (native) {
      spend(text.length * native.stepsPerCharacter);
      return native.expression.test(text);
    }
    if (this.#isRuledOut(text)) return false;
    spend(text.length * (this.#widthFor(text) === 'slow' ? TEST_PER_INSTRUCTION * this.#size : TEST));
    return this.#compiled.test(text);
  }

  /** The first match, or undefined. */
  find(text: string): string | undefined {
    return this.findAll(text, 1)[0];
  }

  /** The matches from left to right that do not overlap, at most `limit`. */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const matches: string[] = [];
    const native = this.#inEngine;
    if (native) {
      spend(text.length * native.stepsPerCharacter);
      if (limit === Number.POSITIVE_INFINITY) return text.match(native.all) ?? [];
      for (const [match] of text.matchAll(native.all)) {
        if (matches.length >= limit) break;
        matches.push(match);
      }
      return matches;
    }
    if (!this.test(text)) return [];
    const counted = new CountedText(text, FIND + FIND_PER_INSTRUCTION * this.#instructionsFor(text));
    // re2js takes every string, but declares the primitive ones only.
    const matcher = this.#compiled.matcher(counted as unknown as string);
    while (matches.length < limit && matcher.find()) {
      matches.push(matcher.group() ?? '');
      counted.readFrom(matcher.end());
    }
    return matches;
  }

  /** The same matches, each with its offset in the text. */
  matches(text: string): { offset: number; text: string }[] {
    const native = this.#inEngine;
    if (native) return Array.from(text.matchAll(native.all), (match) => ({ offset: match.index, text: match[0] }));
    const found: { offset: number; text: string }[] = [];
    if (this.#isRuledOut(text)) return found;
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

  /** The regular expression of the engine that does the same, if there is one. */
  get #inEngine(): Native | undefined {
    if (this.#native === null) {
      const native = nativePattern(this.source);
      this.#native = native && { ...native, all: new RegExp(native.expression.source, `${native.expression.flags}g`) };
    }
    return this.#native;
  }

  get #compiled(): RE2JS {
    this.#re2 ??= compileRe2(this.source);
    return this.#re2;
  }

  #isRuledOut(text: string): boolean {
    if (this.#hint === null) this.#hint = hintOf(this.filter ?? null);
    return this.#hint?.(text) === false;
  }

  get #size(): number {
    return this.#compiled.programSize();
  }

  /** What is known of the time that a search takes: the same for the same pattern and the same searches under this budget. */
  #widthFor(text: string): 'unknown' | 'narrow' | 'slow' {
    if (this.#size > MAX_NARROW_SIZE) return 'slow';
    if (countSearched(text.length * this.#size) <= SEARCHED_FREELY) return 'unknown';
    this.#narrow ??= isNarrow(this.#compiled);
    return this.#narrow ? 'narrow' : 'slow';
  }

  #instructionsFor(text: string): number {
    const width = this.#widthFor(text);
    if (width === 'slow') return this.#size;
    if (width === 'unknown') return this.#size / 16;
    spend(text.length * TEST);
    return averageWidth(this.#compiled, text);
  }
}

let loaded: typeof import('re2js') | undefined;

/** Loaded when it is first needed: it is large, and the patterns that most input meets run without it. */
function re2js(): typeof import('re2js') {
  // The type of what the name stands for.
  loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return loaded;
}

function compileRe2(source: string): RE2JS {
  try {
    return re2js().RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CelError(`not a valid RE2 pattern: ${reason}`, { cause: error });
  }
}
