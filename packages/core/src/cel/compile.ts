import { TypeError as CheckError, type Environment, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import { startBudget } from './budget.js';
import { conjunctsOf } from './conjuncts.js';
import { CelError, type CompileOptions, type Program } from './evaluator.js';
import { accelerate } from './fast/accelerate.js';
import { type Closure, checked, type LibraryEvaluator, type Scope } from './fast/closure.js';
import { inspect, type Names } from './inspect.js';
import { lint } from './lint.js';
import { checkMembers } from './members.js';
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
  const unguarded = options.shapes === undefined ? [] : checkMembers(parsed.ast, options.shapes, language.names.macros);
  rewrite(parsed.ast, language.redirects);
  checkTypes(parsed, options.condition ?? false);
  lint(parsed.ast);
  const closure = language.evaluator && accelerate(parsed.ast, language.evaluator, language.total);
  return {
    source,
    variables,
    unguarded,
    conjuncts: () => conjunctsOf(parsed.ast, source),
    evaluate: closure ? fastRun(parsed, closure) : (scope) => run(() => parsed(scope)),
  };
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

type Variables = { readonly [variable: string]: unknown };

/** The library's scope over the variables that were given last. It reads them anew each time, so it serves all expressions over them. */
let latest: { variables: Variables; scope: Scope } | undefined;

function fastRun(parsed: ParseResult, closure: Closure): Program['evaluate'] {
  let given: Variables = {};
  const root = checked(parsed.ast);
  root.evaluate = (_evaluator, _node, scope) => {
    latest = { variables: given, scope };
    return closure(scope);
  };
  return (variables) => {
    startBudget();
    try {
      if (latest?.variables === variables) return closure(latest.scope);
      given = variables;
      return parsed(variables);
    } catch (error) {
      throw toCelError(error);
    }
  };
}

function run(evaluate: () => unknown): unknown {
  try {
    startBudget();
    return evaluate();
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
