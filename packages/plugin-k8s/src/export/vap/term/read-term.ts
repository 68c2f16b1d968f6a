import { type ASTNode, parseExpression } from '@bylaw/core/cel';
import { NotExportable } from './not-exportable.js';
import { LOOP_MACROS, type LoopMacro, type Term } from './term.js';

/**
 * The tree of an expression of a rule.
 * @throws {NotExportable} for a macro or a literal that the API server lacks; {CelError} when it does not parse.
 */
export function readTerm(source: string): Term {
  return termOf(parseExpression(source));
}

function termOf(node: ASTNode): Term {
  switch (node.op) {
    case 'value':
      return literalOf(node.args);
    case 'id':
      return { is: 'name', name: node.args };
    case '.':
    case '.?':
      return { is: 'member', of: termOf(node.args[0]), name: node.args[1], optional: node.op === '.?' };
    case '[]':
    case '[?]':
      return { is: 'item', of: termOf(node.args[0]), key: termOf(node.args[1]), optional: node.op === '[?]' };
    case 'call':
      return { is: 'call', name: node.args[0], on: undefined, args: node.args[1].map(termOf) };
    case 'rcall':
      return methodOf(...node.args);
    case 'list':
      return { is: 'list', items: node.args.map(termOf) };
    case 'map':
      return { is: 'map', entries: node.args.map(([key, value]) => [termOf(key), termOf(value)] as const) };
    case '!_':
      return { is: 'unary', operator: '!', of: termOf(node.args) };
    case '-_':
      return { is: 'unary', operator: '-', of: termOf(node.args) };
    case '?:':
      return { is: 'choice', condition: termOf(node.args[0]), yes: termOf(node.args[1]), no: termOf(node.args[2]) };
    default:
      return { is: 'binary', operator: node.op, left: termOf(node.args[0]), right: termOf(node.args[1]) };
  }
}

function literalOf(value: unknown): Term {
  if (value === null || ['boolean', 'bigint', 'number', 'string'].includes(typeof value))
    return { is: 'literal', value: value as null | boolean | bigint | number | string }; // one of these, as just asked
  throw new NotExportable('function', 'a literal that is not a string, number or boolean');
}

function methodOf(method: string, receiver: ASTNode, args: readonly ASTNode[]): Term {
  const [first, second, third] = args;
  if (method === 'bind' && first?.op === 'id' && second && third)
    return { is: 'bind', variable: first.args, value: termOf(second), body: termOf(third) };
  if (isLoopMacro(method) && first?.op === 'id' && second) {
    const over = termOf(receiver);
    if (third === undefined) return { is: 'loop', macro: method, over, variable: first.args, body: termOf(second) };
    if (method !== 'map') throw new NotExportable('function', `${method}() with two variables`);
    const kept: Term = { is: 'loop', macro: 'filter', over, variable: first.args, body: termOf(second) };
    return { is: 'loop', macro: 'map', over: kept, variable: first.args, body: termOf(third) };
  }
  if (OTHER_MACROS.has(method) && first?.op === 'id') throw new NotExportable('function', `${method}()`);
  return { is: 'call', name: method, on: termOf(receiver), args: args.map(termOf) };
}

/** Macros of our dialect that older API servers lack, or that no rule needs. */
const OTHER_MACROS = new Set(['existsOne', 'transformList', 'transformMap', 'transformMapEntry', 'sortBy', 'optMap', 'optFlatMap']);

function isLoopMacro(method: string): method is LoopMacro {
  return (LOOP_MACROS as readonly string[]).includes(method);
}
