import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { forgetRaised, raisedUnknown } from '../../undecided.js';
import { CelError, type CompileOptions, type Program } from '../evaluator.js';
import { accelerate } from '../fast/accelerate.js';
import type { LibraryEvaluator } from '../fast/library.js';
import { type Redirects, rewrite } from '../rewrite.js';
import type { ASTNode } from '../syntax.js';
import { toCelError } from '../to-cel-error.js';
import { inspect, type Names } from './inspect.js';
import { lint } from './lint.js';
import { checkMembers } from './members.js';

/** What compiling needs beside the expression: built once by `createEvaluator`. */
export interface Language {
  readonly environment: Environment;
  readonly names: Names;
  readonly redirects: Redirects;
  /** The functions that take undefined for an absent optional. */
  readonly total: ReadonlySet<unknown>;
  /** The library's evaluator; without it, expressions run as slowly as the library runs them. */
  readonly evaluator?: LibraryEvaluator;
}

/** See `Evaluator.compile`. */
export function compile(language: Language, source: string, options: CompileOptions): Program {
  const { parsed, variables, unguarded } = checkExpression(language, source, options);
  const { evaluator } = language;
  const program: Program = {
    source,
    variables,
    unguarded,
    conjuncts: () => conjunctsOf(parsed.ast, source),
    // The first run makes the function that all others call.
    evaluate: (scope) => {
      program.evaluate = evaluator ? accelerate(parsed.ast, evaluator, language.total) : plain(parsed);
      return program.evaluate(scope);
    },
  };
  return program;
}

/** An expression that `compile` accepts. */
export interface CheckedExpression extends Pick<Program, 'variables' | 'unguarded'> {
  readonly parsed: ParseResult;
}

/** @throws {CelError} what `compile` throws */
export function checkExpression(language: Language, source: string, options: CompileOptions): CheckedExpression {
  const parsed = parse(language.environment, source);
  const variables = inspect(parsed.ast, language.names, options);
  const unguarded = options.shapes === undefined ? [] : checkMembers(parsed.ast, options.shapes, language.names.macros);
  rewrite(parsed.ast, language.redirects);
  checkTypes(parsed, options.condition ?? false);
  lint(parsed.ast);
  return { parsed, variables, unguarded };
}

function parse(environment: Environment, source: string): ParseResult {
  try {
    return environment.parse(source);
  } catch (error) {
    throw toCelError(error);
  }
}

function checkTypes(parsed: ParseResult, condition: boolean): void {
  const { valid, type = 'dyn', error } = parsed.check();
  if (!valid) throw toCelError(error);
  if (condition && type !== 'bool' && type !== 'dyn') throw new CelError(`a condition must be of type bool, not ${type}`, { offset: 0 });
}

/** As slow as the library runs it, and without a bound on its loops. */
function plain(parsed: ParseResult): Program['evaluate'] {
  return (scope) => {
    forgetRaised();
    try {
      return parsed(scope);
    } catch (error) {
      throw toCelError(raisedUnknown() ?? error);
    }
  };
}

/** The operands of a conjunction, and of the conjunctions in it, as texts of their own. */
function conjunctsOf(ast: ASTNode, source: string): string[] {
  if (ast.op === '&&') return ast.args.flatMap((operand) => conjunctsOf(operand, source));
  return [balanced(source.slice(ast.start, ast.end))];
}

/** The place of a node leaves out the parentheses around its first and last operand; here they come back. */
function balanced(text: string): string {
  let depth = 0;
  let lowest = 0;
  // Literals are passed over whole, so that what looks like a parenthesis in a text is not one.
  for (const [token] of text.matchAll(/r?("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\/.*|[()]/g)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    lowest = Math.min(lowest, depth);
  }
  return `${'('.repeat(-lowest)}${text}${')'.repeat(depth - lowest)}`;
}
