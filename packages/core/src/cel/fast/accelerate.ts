import type { ASTNode } from '@marcbachmann/cel-js';
import { forgetRaised, raisedUnknown } from '../../undecided.js';
import { beginEvaluation, MAX_STEPS, StepBudget } from '../budget/budget.js';
import { costOf } from '../budget/costs.js';
import { operands } from '../syntax.js';
import { toCelError } from '../to-cel-error.js';
import { emitCall, emitMethod } from './calls.js';
import { CallerScope, checked, fault, type LibraryEvaluator, MacroScope, type Scope } from './library.js';
import { emitBinding, emitLoop } from './loops.js';
import { emitOperator } from './operators.js';
import { mapOfLiteral } from './runtime.js';
import { emitOptional, emitSelection, isSelection } from './selections.js';
import { type Code, type Known, type Locals, quoted, type Workshop, Writer } from './writer.js';

type Variables = { readonly [variable: string]: unknown };

/**
 * Makes a checked expression fast. The library finds the overload of every operator and call again each time, by the types
 * of the values; here the expression becomes one JavaScript function that looks at the values for the usual case (texts,
 * truth values, numbers, maps and lists of a document) and leaves everything else to the library. A test compares both on
 * arbitrary input.
 * @param total the functions that take undefined for an absent optional, and never fail.
 */
export function accelerate(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>): (variables: Variables) => unknown {
  return written(ast, 'caller', evaluator, total, 'safe');
}

/** The function of an expression whose variables come from the caller, or of a macro's body that the library runs in a scope. */
function written(
  ast: ASTNode,
  from: 'caller' | 'scope',
  evaluator: LibraryEvaluator,
  total: ReadonlySet<unknown>,
  reading: 'safe' | 'throws',
): (input: unknown) => unknown {
  let careful: ((input: unknown) => unknown) | undefined;
  let withUnknowns: ((input: unknown) => unknown) | undefined;
  return build(true);

  /** For the rare input in which a variable has no value. */
  function runCarefully(input: unknown): unknown {
    careful ??= build(false);
    return careful(input);
  }

  /**
   * For the rare input in which something is unknown: reading it throws in the middle of what was taken for safe, so that code runs again in which
   * every operand of `&&`, `||`, `all` and `exists` may throw and another one decide. An error that follows on an unknown says nothing.
   */
  function recover(error: unknown, input: unknown): unknown {
    if (raisedUnknown() === undefined) throw toCelError(error);
    if (reading === 'throws') throw toCelError(raisedUnknown());
    withUnknowns ??= written(ast, from, evaluator, total, 'throws');
    forgetRaised();
    return withUnknowns(input);
  }

  /** Nearly always all variables have values: then reading one cannot fail. */
  function build(allPresent: boolean): (input: unknown) => unknown {
    const writer = new Writer(reading);
    const variables = new Map<string, string>();
    const variable = (node: ASTNode, name: string): Code => {
      const read = from === 'caller' ? `input[${quoted(name)}]` : `input.getValue(${quoted(name)})`;
      if (!allPresent) {
        writer.canThrow();
        return { source: `${writer.bind(required)}(${read}, ${writer.bind(node)})`, known: 'any' };
      }
      const known = variables.get(name) ?? writer.temporary();
      variables.set(name, known);
      return { source: known, known: 'any' };
    };
    const workshop: Workshop = {
      writer,
      evaluator,
      emit(node, locals) {
        const code = emitNode(node, locals);
        return code.known === 'any' ? { source: code.source, known: knownOf(node) } : code;
      },
      isTotal: (handler) => total.has(handler),
    };
    const emitNode = (node: ASTNode, locals: Locals): Code => {
      const { alternate, macro } = checked(node).meta;
      if (node.op === 'id' && alternate === undefined) {
        const local = locals.get(node.args);
        return local === undefined ? variable(node, node.args) : { source: local, known: 'any' };
      }
      const fast = emitFast(node, locals, workshop);
      if (fast !== undefined) return fast;
      if (alternate?.op === 'value') return { source: writer.bind(alternate.args), known: 'any' };
      if (macro === undefined) throw new Error(`no code for ${node.op}`);
      return emitLibrary(node, locals);
    };
    const emitLibrary = (node: ASTNode, locals: Locals): Code => {
      for (const operand of operands(node)) if (operand.op !== 'id') runFast(operand);
      const { macro } = checked(node).meta;
      writer.canThrow();
      const outer = from === 'caller' ? `new ${writer.bind(CallerScope)}(input)` : 'input';
      const names = [...locals.keys()];
      const scope =
        names.length === 0 ? outer : `new ${writer.bind(MacroScope)}(${outer}, ${writer.bind(names)}, [${[...locals.values()].join()}])`;
      const bound = writer.bind(macro);
      return { source: `${bound}.evaluate(${writer.bind(evaluator)}, ${bound}, ${scope})`, known: 'any' };
    };
    const code = workshop.emit(ast, new Map());
    const reads = [...variables].map(([name, temporary]) => {
      const read = from === 'caller' ? `input[${quoted(name)}]` : `input.getValue(${quoted(name)})`;
      return `if ((${temporary} = ${read}) === undefined) return ${writer.bind(runCarefully)}(input);`;
    });
    // What the library runs is part of an expression that has been paid for.
    const begin =
      from === 'caller' ? [`if (!${writer.bind(beginEvaluation)}(${costOf(ast)})) return ${writer.bind(withOwnBudget)}(run, input);`] : [];
    return writer.build([...begin, ...reads], code, from === 'caller' ? recover : undefined);
  }

  /** The library runs this node; what it does inside is fast all the same, and the loops in it are counted. */
  function runFast(node: ASTNode): void {
    let run: ((scope: Scope) => unknown) | undefined;
    checked(node).evaluate = (_evaluator, _node, scope) => {
      run ??= written(node, 'scope', evaluator, total, reading);
      return run(scope);
    };
  }
}

function withOwnBudget<Input, Output>(run: (input: Input) => Output, input: Input): Output {
  return new StepBudget(MAX_STEPS).run(() => run(input));
}

function required(value: unknown, node: ASTNode): unknown {
  if (value === undefined) throw fault(`Unknown variable: ${node.args}`, node);
  return value;
}

function knownOf(node: ASTNode): Known {
  const type = checked(node).checkedType?.type;
  return type === 'string' || type === 'bool' ? type : 'any';
}

function emitFast(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { alternate, macro } = checked(node).meta;
  if (node.op === 'rcall') {
    const special = emitLoop(node, locals, workshop) ?? emitBinding(node, locals, workshop) ?? emitOptional(node, locals, workshop);
    return special ?? (macro || alternate ? undefined : emitMethod(node, locals, workshop));
  }
  if (macro || alternate) return undefined;
  if (isSelection(node)) return emitSelection(node, locals, workshop);
  switch (node.op) {
    case 'value':
      return emitLiteral(node.args, workshop);
    case 'list':
      return emitList(node.args, locals, workshop);
    case 'map':
      return emitMap(node.args, locals, workshop);
    case 'call':
      return emitCall(node, locals, workshop);
    default:
      return emitOperator(node, locals, workshop);
  }
}

const MAX_LITERAL = 200;

function emitLiteral(value: unknown, { writer }: Workshop): Code {
  if (typeof value === 'boolean') return { source: String(value), known: 'bool' };
  if (value === null) return { source: 'null', known: 'any' };
  if (typeof value === 'string' && value.length <= MAX_LITERAL) return { source: quoted(value), known: 'string' };
  return { source: writer.bind(value), known: typeof value === 'string' ? 'string' : 'any' };
}

/** A list of literals is made once: no function changes a list. */
function emitList(items: readonly ASTNode[], locals: Locals, workshop: Workshop): Code {
  if (items.every((item) => item.op === 'value')) return { source: workshop.writer.bind(items.map((item) => item.args)), known: 'list' };
  return { source: `[${items.map((item) => workshop.emit(item, locals).source).join(', ')}]`, known: 'list' };
}

function emitMap(entries: readonly (readonly [ASTNode, ASTNode])[], locals: Locals, workshop: Workshop): Code {
  const pairs = entries.map(([key, value]) => `[${workshop.emit(key, locals).source}, ${workshop.emit(value, locals).source}]`);
  return { source: `${workshop.writer.bind(mapOfLiteral)}([${pairs.join(', ')}])`, known: 'any' };
}
