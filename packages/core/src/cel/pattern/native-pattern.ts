/** A regular expression of the engine, and what it costs in the worst case. */
export interface NativePattern {
  readonly expression: RegExp;
  readonly stepsPerCharacter: number;
}

/**
 * The regular expression of the engine that matches what an RE2 pattern matches, for the few forms in which it cannot backtrack for
 * long: characters, classes, groups, alternatives and `?`, with at most `MAX_PATHS` ways through them, and one repeated
 * character or class, which must be the last thing in the pattern, so that nothing after it can fail. Each start then costs
 * a bounded number of steps. Undefined for every other pattern, and for one that matches the empty text.
 */
export function nativePattern(pattern: string): NativePattern | undefined {
  try {
    return new Translation(pattern).result();
  } catch (error) {
    if (error instanceof NotTranslated) return undefined;
    throw error;
  }
}

const MAX_PATHS = 64;
const MAX_REPEATED = 100;
const MAX_WORK = 4_096;
const WORK_PER_STEP = 64;

class NotTranslated extends Error {}

/** A part of the expression: how many ways lead through it, and how many characters it takes at least. */
interface Part {
  readonly source: string;
  readonly paths: number;
  readonly shortest: number;
  /** It takes one character of a set. */
  readonly single: boolean;
}

class Translation {
  readonly #folded: boolean;
  #at: number;

  constructor(private readonly pattern: string) {
    this.#folded = pattern.startsWith('(?i)');
    this.#at = this.#folded ? '(?i)'.length : 0;
  }

  result(): NativePattern {
    const { source, paths, shortest } = this.#alternatives(true);
    if (this.#at < this.pattern.length || shortest === 0) throw new NotTranslated();
    // At each character it may go every way, and no way has more characters than the pattern.
    const work = paths * this.pattern.length;
    if (work > MAX_WORK) throw new NotTranslated();
    return { expression: new RegExp(source, this.#folded ? 'iu' : 'u'), stepsPerCharacter: work / WORK_PER_STEP };
  }

  #alternatives(outermost: boolean): Part {
    const parts = [this.#sequence(outermost)];
    while (this.#take('|')) parts.push(this.#sequence(false));
    return {
      source: parts.map(({ source }) => source).join('|'),
      paths: bounded(parts.reduce((sum, { paths }) => sum + paths, 0)),
      shortest: Math.min(...parts.map(({ shortest }) => shortest)),
      single: false,
    };
  }

  #sequence(outermost: boolean): Part {
    let [source, paths, shortest] = ['', 1, 0];
    while (this.#at < this.pattern.length && !/[|)]/.test(this.#next())) {
      const part = this.#piece(outermost);
      source += part.source;
      paths = bounded(paths * part.paths);
      shortest += part.shortest;
    }
    return { source, paths, shortest, single: false };
  }

  #piece(outermost: boolean): Part {
    const atom = this.#atom();
    if (this.#take('?')) {
      // The engine does not take an optional part that matches nothing, and goes on to what would match more.
      if (/[?*+{]/.test(this.#next()) || atom.shortest === 0) throw new NotTranslated();
      return { source: `${atom.source}?`, paths: bounded(atom.paths + 1), shortest: 0, single: false };
    }
    const repeat = /^(?:[*+]|\{(\d{1,3}),\})$/.exec(this.pattern.slice(this.#at));
    if (repeat === null) {
      if (/[*+{]/.test(this.#next())) throw new NotTranslated();
      return atom;
    }
    const [quantifier, least] = repeat;
    const count = least === undefined ? (quantifier === '+' ? 1 : 0) : Number(least);
    if (!outermost || !atom.single || count > MAX_REPEATED) throw new NotTranslated();
    this.#at = this.pattern.length;
    return { source: atom.source + quantifier, paths: atom.paths, shortest: count, single: false };
  }

  #atom(): Part {
    if (this.#take('(')) {
      if (this.#take('?') && !this.#take(':')) throw new NotTranslated();
      const inner = this.#alternatives(false);
      if (!this.#take(')')) throw new NotTranslated();
      return { ...inner, source: `(?:${inner.source})` };
    }
    for (const anchor of ['^', '$'])
      if (this.#take(anchor)) {
        if (/[?*+{]/.test(this.#next())) throw new NotTranslated();
        return { source: anchor, paths: 1, shortest: 0, single: false };
      }
    return { source: this.#take('[') ? this.#class() : this.#character(), paths: 1, shortest: 1, single: true };
  }

  #class(): string {
    const negated = this.#take('^') ? '^' : '';
    // A folded negation is not folded alike by both engines.
    if (this.#folded && negated !== '') throw new NotTranslated();
    let items = '';
    while (!this.#take(']')) {
      const from = this.#member();
      // A range ends in a character, not in another class.
      const range = this.#next() === '-' && !this.pattern.startsWith('-]', this.#at);
      if (range) this.#at += 1;
      const to = range ? this.#member() : '';
      if (range && [from, to].some(isSet)) throw new NotTranslated();
      items += range ? `${from}-${to}` : from;
    }
    if (items === '') throw new NotTranslated();
    return `[${negated}${items}]`;
  }

  #member(): string {
    if (this.#take('\\')) return this.#escape();
    const character = this.#next();
    if (character === '[' || !ASCII.test(character)) throw new NotTranslated();
    this.#at += 1;
    return escaped(character);
  }

  #character(): string {
    if (this.#take('\\')) return `[${this.#escape()}]`;
    const character = this.#next();
    if (/[*+?{}\][().]/.test(character) || !ASCII.test(character)) throw new NotTranslated();
    this.#at += 1;
    return escaped(character);
  }

  /** What follows a backslash, as it is in a class. */
  #escape(): string {
    const hex = /^x([0-7][0-9A-Fa-f])/.exec(this.pattern.slice(this.#at, this.#at + 3))?.[1];
    if (hex !== undefined) {
      this.#at += 3;
      return escaped(String.fromCharCode(Number.parseInt(hex, 16)));
    }
    const letter = this.#next();
    const set = this.#folded ? undefined : SETS.get(letter);
    const control = CONTROLS.get(letter);
    if (set === undefined && control === undefined && !/[!-/:-@[-`{-~]/.test(letter)) throw new NotTranslated();
    this.#at += 1;
    return set ?? escaped(control ?? letter);
  }

  #next(): string {
    return this.pattern[this.#at] ?? '';
  }

  #take(text: string): boolean {
    const taken = this.pattern.startsWith(text, this.#at);
    if (taken) this.#at += text.length;
    return taken;
  }
}

function bounded(paths: number): number {
  if (paths > MAX_PATHS) throw new NotTranslated();
  return paths;
}

const ASCII = /^[ -~]$/;
const SETS: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['w', '0-9A-Za-z_'],
  ['s', '\\x09\\x0a\\x0c\\x0d\\x20'],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
]);

/** A character that means itself, inside a class and outside. */
function escaped(character: string): string {
  return /[0-9A-Za-z]/.test(character) ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function isSet(members: string): boolean {
  return members.includes('-') || members.length > '\\x00'.length;
}
