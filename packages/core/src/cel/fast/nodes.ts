import type { ASTNode } from '@marcbachmann/cel-js';
import { quoted } from '../quoted.js';
import { mapOfLiteral } from '../runtime/operands.js';
import { emitCall, emitMethod } from './calls.js';
import { checked, type LibraryEvaluator } from './library.js';
import { emitBinding, emitLoop } from './loops.js';
import { emitOperator } from './operators.js';
import { emitOptional, emitSelection, isSelection } from './selections.js';
import type { Code, Known, Locals, Workshop, Writer } from './writer.js';

/** What differs between code for this process and code that is made ahead of time. */
export interface Surroundings {
  readonly writer: Writer;
  readonly evaluator: LibraryEvaluator;
  /** The functions that take undefined for an absent optional, and never fail. */
  readonly total: ReadonlySet<unknown>;
  /** Reads a variable of the caller, or of a macro that the library runs. */
  variable(node: ASTNode, name: string): Code;
  /** Leaves a macro that has no fast path to the library. */
  leave(node: ASTNode, locals: Locals): Code;
}

/** What writes the code of all nodes of an expression. */
export function workshopOf({ writer, evaluator, total, variable, leave }: Surroundings): Workshop {
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
    if (alternate?.op === 'value') return { source: writer.constant(alternate.args), known: 'any' };
    if (macro === undefined) throw new Error(`no code for ${node.op}`);
    return leave(node, locals);
  };
  return workshop;
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
  return { source: writer.constant(value), known: typeof value === 'string' ? 'string' : 'any' };
}

/** A list of literals is made once: no function changes a list. */
function emitList(items: readonly ASTNode[], locals: Locals, workshop: Workshop): Code {
  if (items.every((item) => item.op === 'value'))
    return { source: workshop.writer.constant(items.map((item) => item.args)), known: 'list' };
  return { source: `[${items.map((item) => workshop.emit(item, locals).source).join(', ')}]`, known: 'list' };
}

function emitMap(entries: readonly (readonly [ASTNode, ASTNode])[], locals: Locals, workshop: Workshop): Code {
  const pairs = entries.map(([key, value]) => `[${workshop.emit(key, locals).source}, ${workshop.emit(value, locals).source}]`);
  return { source: `${workshop.writer.helper(mapOfLiteral)}([${pairs.join(', ')}])`, known: 'any' };
}
