import { Environment, EvaluationError, Optional, ParseError } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { CompileOptions, Program } from './evaluator.js';
import type { LibraryEvaluator } from './fast/library.js';
import { type CelFunction, type CelType, parseSignature } from './function.js';
import { FUNCTIONS, NAMESPACES, TYPES } from './functions.js';
import { type LibraryClasses, libraryState } from './library-state.js';
import { MACROS } from './macros/index.js';
import type { Macro } from './macros/macro.js';
import { adoptOptional } from './optional.js';
import { compile, type Language } from './program/compile.js';
import { type Expression, writeModule } from './program/write-module.js';
import { internalName, isRedirected, type Redirects, redirectsOf } from './rewrite.js';
import { sameValue } from './standard/equality.js';
import { OPERATORS } from './standard/operators.js';
import { type ASTNode, LIBRARY_MACROS, type MacroShape, macroShape } from './syntax.js';
import { toCelError } from './to-cel-error.js';

// What compiles expressions, and the one file through which the CEL library is loaded: see `compiler-loader.ts`.

const libraryClasses: LibraryClasses = { Optional, EvaluationError, ParseError, Duration, UnsignedInt };
libraryState.classes = libraryClasses;
adoptOptional(libraryClasses);

let language: Language | undefined;

/** The language of this process, built when it is first needed. */
function sharedLanguage(): Language {
  language ??= createLanguage();
  return language;
}

/** See `Evaluator.compile`. */
export function compileExpression(source: string, options: CompileOptions): Program {
  return compile(sharedLanguage(), source, options);
}

/** See `writeModule` in program/write-module.ts. */
export function writeExpressionModule(expressions: readonly Expression[], bounds: Pick<CompileOptions, 'maxNodes' | 'maxNesting'>): string {
  return writeModule(sharedLanguage(), expressions, bounds);
}

/** See `parseExpression` in create.ts. */
export function parseExpression(source: string): ASTNode {
  try {
    return sharedLanguage().environment.parse(source).ast;
  } catch (error) {
    throw toCelError(error);
  }
}

/** Everything that expressions may say. Tests use it to look behind the evaluator. */
export function createLanguage(): Language {
  const environment = new Environment({
    // Variables are checked by `inspect`, against the list of each expression.
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 20_000, maxDepth: 100 },
  });
  for (const type of TYPES) registerType(environment, type);
  for (const { name, type, value } of NAMESPACES) {
    environment.registerType(type.name, type.constructor);
    environment.registerConstant(name, type.name, value);
  }
  // See Operator for why the parameters may be widened.
  for (const { signature, call } of OPERATORS) environment.registerOperator(signature, call as (left: unknown, right: unknown) => boolean);
  const names = namesOf(environment);
  const redirects = redirectsOf(FUNCTIONS);
  for (const entry of FUNCTIONS) register(environment, names, redirects, entry);
  for (const macro of MACROS) registerMacro(environment, names, macro);
  const evaluator = typeShallowly(evaluatorOf(environment));
  const total = new Set<unknown>(FUNCTIONS.filter((entry) => entry.total).map(({ call }) => call));
  return { environment, names, redirects, total, evaluator };
}

interface MutableNames {
  functions: Map<string, Set<number>>;
  methods: Map<string, Set<number>>;
  macros: Map<string, MacroShape>;
  constants: Set<string>;
}

function namesOf(environment: Environment): MutableNames {
  const { functions, variables } = environment.getDefinitions();
  const names: MutableNames = {
    functions: new Map(),
    methods: new Map(),
    macros: new Map(LIBRARY_MACROS),
    constants: new Set(variables.map(({ name }) => name)),
  };
  for (const { name, receiverType, params } of functions) addName(names, receiverType !== null, name, params.length);
  return names;
}

function registerType(environment: Environment, type: CelType): void {
  environment.registerType(type.name, type.constructor);
  environment.registerOperator(`${type.name} == ${type.name}`, (a: unknown, b: unknown) => sameValue(a, b));
}

function addName(names: MutableNames, method: boolean, name: string, count: number): void {
  const kind = method ? names.methods : names.functions;
  const counts = kind.get(name) ?? new Set();
  kind.set(name, counts.add(count));
}

function register(environment: Environment, names: MutableNames, redirects: Redirects, entry: CelFunction): void {
  const { receiver, name, parameters, returns } = parseSignature(entry.signature);
  addName(names, receiver !== undefined, name, parameters.length);
  const types = parameters.map((type) => (type === 'pattern' ? 'bylaw.Pattern' : type)).join(', ');
  const registered = isRedirected(redirects, receiver !== undefined, name, parameters.length) ? internalName(name) : name;
  // The library calls it with the types that the signature names; CelFunction says why they are `never`.
  const call = entry.call as (...args: unknown[]) => unknown;
  environment.registerFunction(`${receiver === undefined ? '' : `${receiver}.`}${registered}(${types}): ${returns}`, call, {
    async: false,
  });
}

function registerMacro(environment: Environment, names: MutableNames, { signature, variables, loops, expand }: Macro): void {
  const { name, parameters } = parseSignature(signature);
  const key = `${name}/${parameters.length}`;
  addName(names, true, name, parameters.length);
  names.macros.set(key, macroShape(key, variables, loops));
  environment.registerFunction(signature, expand, { async: false });
}

/**
 * The library types a value by walking down its first elements, and keeps every type that it meets for good: slow, and a
 * hostile document with ever new shapes could fill the memory. One level is enough for every overload there is.
 */
function typeShallowly(evaluator: LibraryEvaluator): LibraryEvaluator {
  evaluator.debugTypeDeep = evaluator.debugType;
  return evaluator;
}

/** The library shows its evaluator to functions only, as `this`. */
function evaluatorOf(environment: Environment): LibraryEvaluator {
  let captured: LibraryEvaluator | undefined;
  environment.registerFunction(
    'capture_(): bool',
    function (this: LibraryEvaluator) {
      captured = this;
      return true;
    },
    { async: false },
  );
  environment.evaluate('capture_()');
  if (captured === undefined) throw new Error('the CEL library no longer exposes its evaluator to functions');
  return captured;
}
