import { TypeError as CheckError, type Environment, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import { startBudget } from './budget.js';
import { CelError, type CompileOptions, type Program } from './evaluator.js';
import { accelerate } from './fast/accelerate.js';
import type { LibraryEvaluator } from './fast/library.js';
import { inspect, type Names } from './inspect.js';
import { lint } from './lint.js';
import { type Redirects, rewrite } from './rewrite.js';

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
  const parsed = parse(language.environment, source);
  const variables = inspect(parsed.ast, language.names, options);
  rewrite(parsed.ast, language.redirects);
  checkTypes(parsed);
  lint(parsed.ast);
  const evaluate = language.evaluator ? accelerate(parsed.ast, language.evaluator, language.total) : parsed;
  return { source, variables, evaluate: (scope) => run(evaluate, scope) };
}

function parse(environment: Environment, source: string): ParseResult {
  try {
    return environment.parse(source);
  } catch (error) {
    throw toCelError(error);
  }
}

function checkTypes(parsed: ParseResult): void {
  const { valid, error } = parsed.check();
  if (!valid) throw toCelError(error);
}

type Scope = Parameters<Program['evaluate']>[0];

function run(evaluate: Program['evaluate'], scope: Scope): unknown {
  try {
    startBudget();
    return evaluate(scope);
  } catch (error) {
    throw toCelError(error);
  }
}

/** The library's errors carry a picture of the source in their message; ours say what, and where as a number. */
function toCelError(error: unknown): CelError {
  if (error instanceof CelError) return error;
  if (error instanceof EvaluationError || error instanceof ParseError || error instanceof CheckError) {
    const offset = error.range?.start;
    return new CelError(`${error.summary}${hintFor(error)}`, { cause: error, ...(offset === undefined ? {} : { offset }) });
  }
  return new CelError(error instanceof Error ? error.message : String(error), { cause: error });
}

/** The mistake that everyone makes first: `.?field` gives an optional, not the value. */
function hintFor(error: Error & { summary: string }): string {
  return error instanceof CheckError && error.summary.includes('optional<') ? ': add .orValue(…) to the optional' : '';
}
