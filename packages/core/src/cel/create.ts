import { type Compiler, compiler } from './compiler-loader.js';
import type { Evaluator } from './evaluator.js';
import { type Precompiled, programOf } from './runtime/precompiled.js';
import type { ASTNode } from './syntax.js';

/** Expressions that were compiled when their pack was built, under the bounds of all rules. */
export interface ExpressionCode {
  /** The code of an expression; undefined where there is none. */
  find(source: string): Precompiled | undefined;
}

/**
 * An evaluator. Cheap to call: the compiler is loaded and the language is built when an expression needs them first.
 * @param code where expressions are looked up before they are compiled
 */
export function createEvaluator(code: readonly ExpressionCode[] = []): Evaluator {
  return {
    compile(source, options = { variables: [], maxNodes: 2000, maxNesting: 3 }) {
      const compile = () => compiler().compileExpression(source, options);
      if (options.shapes !== undefined || options.condition) return compile();
      for (const one of code) {
        const found = one.find(source);
        // No variable has the name of a type or a namespace, so the same names mean the same.
        if (found?.variables.isSubsetOf(new Set(options.variables))) return programOf(source, found, compile);
      }
      return compile();
    },
  };
}

/** See `writeModule`. */
export function writeExpressionModule(...args: Parameters<Compiler['writeExpressionModule']>): string {
  return compiler().writeExpressionModule(...args);
}

/**
 * The tree of an expression, for who translates it. Names are not checked; every call makes a new tree.
 * @throws {CelError} when it does not parse.
 */
export function parseExpression(source: string): ASTNode {
  return compiler().parseExpression(source);
}
