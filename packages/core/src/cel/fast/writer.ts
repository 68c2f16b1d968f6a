import type { ASTNode } from '@marcbachmann/cel-js';
import type { Declaration, LibraryEvaluator } from './library.js';

/** A piece of JavaScript that gives a value, and what is known of the value. It stands where it is put exactly once. */
export interface Code {
  readonly source: string;
  readonly known: Known;
}

/** `count` is a whole number that stands for an int and is not a BigInt yet. */
export type Known = 'bool' | 'string' | 'list' | 'count' | 'any';

/** Statements that were written for one operand, and whether they or its value can throw. */
export interface Block {
  readonly lines: readonly string[];
  readonly throws: boolean;
  readonly code: Code;
}

/** Where the variables of the macros around a node stand: their temporaries, by name. */
export type Locals = ReadonlyMap<string, string>;

/** What writes the code of nodes. */
export interface Workshop {
  readonly writer: Writer;
  readonly evaluator: LibraryEvaluator;
  emit(node: ASTNode, locals: Locals): Code;
  /** Whether a function takes undefined for an absent optional, what is inside for a present one, and never fails. */
  isTotal(handler: unknown): boolean;
}

/** Gives a value a name in the code. */
export type Bind = (value: unknown) => string;

/**
 * Writes the source of one function. The source holds operators, names that are made here, and literals; everything else reaches it under a name, so
 * that no text of an expression becomes code. What is behind the names, and what happens to errors, is for the two kinds of writers to say.
 */
export abstract class Writer {
  #lines: string[] = [];
  #throws = false;
  #names = 0;
  readonly #temporaries: string[] = [];

  /** A function of ours. */
  abstract helper(helper: (...args: never[]) => unknown): string;

  /** The function that counts what calls of this name cost, see `callCost`. */
  abstract cost(name: string): string;

  /** The function that gives what a map holds under a key. */
  abstract getter(key: string): string;

  /** A value that is a part of the expression: a literal, a list of literals, a set of texts, a pattern. */
  abstract constant(value: unknown): string;

  /** A node, as the place of an error. */
  abstract node(node: ASTNode): string;

  /** The handler of an overload; undefined where it cannot be called directly. */
  abstract overload(declaration: Declaration): string | undefined;

  /** Whether more types of values than those that the library knows at a glance are told apart before a call. */
  abstract readonly tellsTypes: boolean;

  /**
   * What only the library does.
   * @param standIn what does the same for the usual values, and needs no library
   */
  abstract library(write: (bind: Bind) => string, standIn?: () => string): string;

  /** Notes, when it runs, that what may fail now is at `node`: an error that names no place is then located there. */
  abstract place(node: ASTNode): string;

  /** Catches what `lines` throw into the variable `error`, unless it holds an error already. */
  abstract attempt(lines: readonly string[], error: string): void;

  /** Whether the code goes on after an error, because another operand may decide. */
  protected abstract readonly setsErrorsAside: boolean;

  /** A variable of the function. It is written before it is read. */
  temporary(): string {
    const name = `t${this.#names}`;
    this.#names += 1;
    this.#temporaries.push(name);
    return name;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  lines(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** What is written next can throw. */
  canThrow(): void {
    this.#throws = this.setsErrorsAside;
  }

  /** Collects what is written for an operand instead of writing it. */
  block(write: () => Code): Block {
    const [lines, throws] = [this.#lines, this.#throws];
    this.#lines = [];
    this.#throws = false;
    try {
      const code = write();
      return { lines: this.#lines, throws: this.throws, code };
    } finally {
      this.#throws ||= throws;
      this.#lines = lines;
    }
  }

  /** Whether what was written so far can throw. */
  protected get throws(): boolean {
    return this.#throws;
  }

  /** The statements of the function: `first`, what was written, and the result. */
  protected bodyOf(first: readonly string[], result: Code): string {
    return [...first, ...this.#lines, `return ${result.source};`].join('\n');
  }

  /** The function, called `run`; its one parameter is `input`. */
  protected functionOf(statements: string, own: readonly string[] = []): string {
    const names = [...own, ...this.#temporaries];
    return `function run(input) {\n${names.length === 0 ? '' : `let ${names.join(', ')};\n`}${statements}\n}`;
  }
}
