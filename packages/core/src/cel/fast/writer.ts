import type { ASTNode } from '@marcbachmann/cel-js';
import { type LibraryEvaluator, located, setAside } from './library.js';

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

/**
 * Writes the source of one function. The source holds operators, names that are made here, and literals; everything else
 * reaches it as a bound value, so that no text of an expression becomes code.
 */
export class Writer {
  #lines: string[] = [];
  #throws = false;
  #names = 0;
  readonly #temporaries: string[] = [];
  readonly #bound = new Map<unknown, string>();

  /** @param reading whether even reading a value can throw, as it does where values are unknown */
  constructor(private readonly reading: 'safe' | 'throws' = 'safe') {}

  /** The name of a value that the function is bound to. */
  bind(value: unknown): string {
    const name = this.#bound.get(value) ?? `b${this.#bound.size}`;
    this.#bound.set(value, name);
    return name;
  }

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

  /** What is written next can throw. */
  canThrow(): void {
    this.#throws = true;
  }

  /** Collects what is written for an operand instead of writing it. */
  block(write: () => Code): Block {
    const [lines, throws] = [this.#lines, this.#throws];
    this.#lines = [];
    this.#throws = false;
    try {
      const code = write();
      return { lines: this.#lines, throws: this.#throws || this.reading === 'throws', code };
    } finally {
      this.#throws ||= throws;
      this.#lines = lines;
    }
  }

  lines(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** Notes, when it runs, that what may fail now is at `node`: an error that names no place is then located there. */
  place(node: ASTNode): string {
    this.canThrow();
    return `at = ${this.bind(node)}`;
  }

  /** Catches what `lines` throw into the variable `error`, unless it holds an error already. */
  attempt(lines: readonly string[], error: string): void {
    this.line(`try {\n${lines.join('\n')}\n} catch (thrown) { ${error} = ${this.bind(setAside)}(thrown, at, ${error}); }`);
  }

  /**
   * The function that runs `first` and what was written, and gives `result`. It is called `run`, its one parameter `input`.
   * @param recover what it makes of an error and its input: another error that it throws, or the result after all
   */
  build(first: readonly string[], result: Code, recover?: (error: unknown, input: unknown) => unknown): (input: unknown) => unknown {
    const body = [...first, ...this.#lines, `return ${result.source};`].join('\n');
    const error = `${this.bind(located)}(thrown, at)`;
    const otherwise = recover === undefined ? `throw ${error};` : `return ${this.bind(recover)}(${error}, input);`;
    const guarded = this.#throws || recover !== undefined ? `try {\n${body}\n} catch (thrown) { ${otherwise} }` : body;
    const source = `"use strict"; return (function run(input) {\nlet ${['at', ...this.#temporaries].join(', ')};\n${guarded}\n});`;
    return new Function(...this.#bound.values(), source)(...this.#bound.keys());
  }
}

/** A literal text as source. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
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
