import type { ASTNode } from '@marcbachmann/cel-js';
import { callCost } from '../budget/costs.js';
import { getterOf } from './getters.js';
import { type Declaration, located, setAside } from './library.js';
import { type Bind, type Code, Writer } from './writer.js';

/** Makes a function that is bound to values of this process. */
export class BoundWriter extends Writer {
  readonly tellsTypes = false;
  protected readonly setsErrorsAside = true;
  readonly #bound = new Map<unknown, string>();

  /** @param reading whether even reading a value can throw, as it does where values are unknown */
  constructor(private readonly reading: 'safe' | 'throws') {
    super();
  }

  readonly bind: Bind = (value) => {
    const name = this.#bound.get(value) ?? `b${this.#bound.size}`;
    this.#bound.set(value, name);
    return name;
  };

  helper(helper: (...args: never[]) => unknown): string {
    return this.bind(helper);
  }

  cost(name: string): string {
    return this.bind(callCost(name));
  }

  getter(key: string): string {
    return this.bind(getterOf(key));
  }

  constant(value: unknown): string {
    return this.bind(value);
  }

  node(node: ASTNode): string {
    return this.bind(node);
  }

  overload({ handler }: Declaration): string {
    return this.bind(handler);
  }

  library(write: (bind: Bind) => string): string {
    return write(this.bind);
  }

  place(node: ASTNode): string {
    this.canThrow();
    return `at = ${this.bind(node)}`;
  }

  attempt(lines: readonly string[], error: string): void {
    this.line(`try {\n${lines.join('\n')}\n} catch (thrown) { ${error} = ${this.bind(setAside)}(thrown, at, ${error}); }`);
  }

  /** @param recover what it makes of an error and its input: another error that it throws, or the result after all */
  build(first: readonly string[], result: Code, recover?: (error: unknown, input: unknown) => unknown): (input: unknown) => unknown {
    const body = this.bodyOf(first, result);
    const error = `${this.bind(located)}(thrown, at)`;
    const otherwise = recover === undefined ? `throw ${error};` : `return ${this.bind(recover)}(${error}, input);`;
    const guarded = this.throws || recover !== undefined ? `try {\n${body}\n} catch (thrown) { ${otherwise} }` : body;
    return new Function(...this.#bound.values(), `"use strict"; return (${this.functionOf(guarded, ['at'])});`)(...this.#bound.keys());
  }

  protected override get throws(): boolean {
    return super.throws || this.reading === 'throws';
  }
}
