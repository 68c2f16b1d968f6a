import type { CompileOptions } from '../evaluator.js';
import { ModuleNames } from '../fast/ahead-writer.js';
import { compileAhead } from '../fast/compile-ahead.js';
import { quoted } from '../quoted.js';
import { checkExpression, type Language } from './compile.js';

/** An expression of a rule, and the names that it may use. */
export interface Expression {
  readonly source: string;
  readonly variables: readonly string[];
}

/**
 * Compiles expressions to the source of a CommonJS module, which `modulePrograms` loads: same expressions, same text.
 * @param bounds of every expression
 * @throws {CelError} for an expression that does not compile
 */
export function writeModule(
  language: Language,
  expressions: readonly Expression[],
  bounds: Pick<CompileOptions, 'maxNodes' | 'maxNesting'>,
): string {
  const { evaluator, total } = language;
  if (evaluator === undefined) throw new Error('this language runs in the library only');
  const names = new ModuleNames();
  const programs = expressions.map(({ source, variables }) => {
    const { parsed, variables: read } = checkExpression(language, source, { variables, ...bounds });
    return `[${quoted(source)}, ${JSON.stringify([...read])}, ${compileAhead(parsed.ast, evaluator, total, names).join(', ')}],`;
  });
  return [
    "'use strict';",
    '// Compiled from the rules of this package, by the compiler that pack.jsonl names.',
    // In parentheses, V8 compiles the function with the module, so that the compile cache holds it.
    'module.exports = ((runtime) => {',
    'const { member } = runtime.helpers;',
    ...names.declarations,
    'return [',
    ...programs,
    '];',
    '});',
    '',
  ].join('\n');
}
