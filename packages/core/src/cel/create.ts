import { Environment } from '@marcbachmann/cel-js';
import { compile, type Language } from './compile.js';
import type { Evaluator } from './evaluator.js';
import { type CelFunction, parseSignature } from './function.js';
import { FUNCTIONS, NAMESPACES, TYPES } from './functions.js';
import type { Macro } from './macros/macro.js';
import { MACROS } from './macros.js';
import { internalName, redirectsOf } from './rewrite.js';
import { LIBRARY_MACROS, type MacroShape, macroShape } from './syntax.js';

let language: Language | undefined;

/** The one evaluator of a process. Cheap to call: the language is built at the first compile. */
export function createEvaluator(): Evaluator {
  return {
    compile: (source, options) => {
      language ??= createLanguage();
      return compile(language, source, options ?? { variables: [], maxNodes: 2000, maxNesting: 3 });
    },
  };
}

function createLanguage(): Language {
  const environment = new Environment({
    // Variables are checked by `inspect`, against the list of each expression.
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 20_000, maxDepth: 100 },
  });
  for (const type of TYPES) environment.registerType(type.name, type.constructor);
  for (const { name, type, value } of NAMESPACES) environment.registerConstant(name, type.name, value);
  const names = namesOf(environment);
  for (const entry of FUNCTIONS) register(environment, names, entry);
  for (const macro of MACROS) registerMacro(environment, names, macro);
  typeShallowly(environment);
  return { environment, names, redirects: redirectsOf(FUNCTIONS) };
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

function addName(names: MutableNames, method: boolean, name: string, count: number): void {
  const kind = method ? names.methods : names.functions;
  const counts = kind.get(name) ?? new Set();
  kind.set(name, counts.add(count));
}

function register(environment: Environment, names: MutableNames, entry: CelFunction): void {
  const { receiver, name, parameters, returns } = parseSignature(entry.signature);
  addName(names, receiver !== undefined, name, parameters.length);
  const redirected = entry.replaces === true || parameters.includes('pattern');
  const types = parameters.map((type) => (type === 'pattern' ? 'bylaw.Pattern' : type));
  const signature = `${receiver === undefined ? '' : `${receiver}.`}${redirected ? internalName(name) : name}(${types.join(', ')}): ${returns}`;
  // The library calls it with the types that the signature names; CelFunction says why they are `never`.
  environment.registerFunction(signature, entry.call as (...args: unknown[]) => unknown, { async: false });
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
function typeShallowly(environment: Environment): void {
  interface Typer {
    debugType(value: unknown): unknown;
    debugTypeDeep(value: unknown): unknown;
  }
  environment.registerFunction(
    'captureTyper_(): bool',
    function (this: Typer) {
      this.debugTypeDeep = this.debugType;
      return true;
    },
    { async: false },
  );
  environment.evaluate('captureTyper_()');
}
