import { nearest } from '../../nearest.js';
import { plural } from '../../plural.js';
import { CelError, type CompileOptions } from '../evaluator.js';
import { type ASTNode, type MacroShape, operands } from '../syntax.js';

/** The names that expressions may use. */
export interface Names {
  /** `has` → the numbers of arguments it takes as a function. */
  readonly functions: ReadonlyMap<string, ReadonlySet<number>>;
  /** The same for methods, receiver not counted. */
  readonly methods: ReadonlyMap<string, ReadonlySet<number>>;
  /** Methods that bind variables, as `name/arguments`. */
  readonly macros: ReadonlyMap<string, MacroShape>;
  /** Type names and namespaces (`string`, `math`, …). */
  readonly constants: ReadonlySet<string>;
}

interface Scope {
  readonly bound: ReadonlySet<string>;
  readonly nesting: number;
}

/**
 * Checks every name of an expression and its cost.
 * @returns the variables that it reads.
 * @throws {CelError} with the offset of the first fault.
 */
export function inspect(ast: ASTNode, names: Names, options: CompileOptions): ReadonlySet<string> {
  const allowed = new Set(options.variables);
  const read = new Set<string>();
  let nodes = 0;

  const visit = (node: ASTNode, scope: Scope): void => {
    nodes += 1;
    if (nodes > options.maxNodes) throw tooLarge(options.maxNodes, node);
    if (node.op === 'id') visitName(node, node.args, scope);
    checkCallee(node, names);
    const shape = node.op === 'rcall' ? names.macros.get(`${node.args[0]}/${node.args[2].length}`) : undefined;
    if (node.op === 'rcall' && shape !== undefined) {
      visit(node.args[1], scope);
      visitMacro(node.args[2], shape, scope);
    } else {
      for (const operand of operands(node)) visit(operand, scope);
    }
  };

  const visitName = (node: ASTNode, name: string, scope: Scope): void => {
    if (scope.bound.has(name)) return;
    if (allowed.has(name)) {
      read.add(name);
      return;
    }
    if (names.constants.has(name)) return;
    throw unknownName(name, [...allowed, ...scope.bound], node);
  };

  const visitMacro = (args: readonly ASTNode[], shape: MacroShape, scope: Scope): void => {
    const bound = new Set(scope.bound);
    for (const index of shape.variables) {
      const variable = args[index];
      if (variable?.op === 'id') bound.add(variable.args);
      nodes += 1;
    }
    const inner: Scope = { bound, nesting: scope.nesting + (shape.loops ? 1 : 0) };
    const [first] = args;
    if (inner.nesting > options.maxNesting && first !== undefined) throw tooNested(options.maxNesting, first);
    args.forEach((arg, index) => {
      if (shape.bodies.includes(index)) visit(arg, inner);
      else if (!shape.variables.includes(index)) visit(arg, scope);
    });
  };

  visit(ast, { bound: new Set(), nesting: 0 });
  return read;
}

function checkCallee(node: ASTNode, names: Names): void {
  if (node.op === 'call') checkCall('function', node.args[0], node.args[1].length, names.functions, node);
  if (node.op === 'rcall') checkCall('method', node.args[0], node.args[2].length, names.methods, node);
}

function checkCall(kind: 'function' | 'method', name: string, count: number, known: Names['functions'], node: ASTNode): void {
  const counts = known.get(name);
  const offset = node.start;
  if (counts === undefined) {
    const near = nearest(name, known.keys());
    throw new CelError(`unknown ${kind} '${name}'${near === undefined ? '' : ` (did you mean '${near}'?)`}`, { offset });
  }
  if (!counts.has(count)) {
    const expected = [...counts].sort((a, b) => a - b).join(' or ');
    throw new CelError(`'${name}' takes ${expected} argument${expected === '1' ? '' : 's'}, not ${count}`, { offset });
  }
}

function unknownName(name: string, candidates: readonly string[], node: ASTNode): CelError {
  const near = nearest(name, candidates);
  const known = near === undefined ? ` (known names: ${candidates.join(', ') || 'none'})` : ` (did you mean '${near}'?)`;
  return new CelError(`unknown name '${name}'${known}`, { offset: node.start });
}

function tooLarge(limit: number, node: ASTNode): CelError {
  return new CelError(`the expression has more than ${plural(limit, 'node')}; split it or shorten it`, { offset: node.start });
}

function tooNested(limit: number, node: ASTNode): CelError {
  const levels = plural(limit, 'level');
  return new CelError(`loops (all, exists, map, …) are nested more than ${levels} deep`, { offset: node.start });
}
