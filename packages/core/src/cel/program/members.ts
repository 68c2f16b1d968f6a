import { nearest } from '../../nearest.js';
import { CelError } from '../evaluator.js';
import { ANY, type MemberShape, SCALAR, type Shape, type Unguarded } from '../shape.js';
import { type ASTNode, type MacroShape, operands } from '../syntax.js';
import { memberOf, type Present, pathOf, presentWhen, stepOf } from './guards.js';

type Shapes = { readonly [variable: string]: Shape };

/** What is known of the value of a node. Members of an optional are optional themselves, so they need no guard. */
interface Known {
  shape: Shape;
  optional: boolean;
}

interface Context {
  shapes: Shapes;
  present: Present;
}

/**
 * Follows every member that an expression reads.
 * @returns those that may be missing and are read without `has()`, `.?` or `in` before
 * @throws {CelError} with the offset of a member that can never be there
 */
export function checkMembers(ast: ASTNode, shapes: Shapes, macros: ReadonlyMap<string, MacroShape>): Unguarded[] {
  const unguarded: Unguarded[] = [];

  const visit = (node: ASTNode, context: Context): Known => {
    if (node.op === 'id') return plain(Object.hasOwn(context.shapes, node.args) ? context.shapes[node.args] : ANY);
    if (node.op === 'value') return plain(SCALAR);
    if (node.op === '&&' || node.op === '||') return visitJunction(node.args, node.op === '&&', context);
    if (node.op === '?:') return visitChoice(node.args, context);
    if (node.op === 'call' && node.args[0] === 'has') return visitHas(node.args[1][0], context);
    if (node.op === 'rcall') return visitMethod(node.args[0], node.args[1], node.args[2], context);
    const step = stepOf(node);
    if (step !== undefined) return visitStep(node, step, context);
    const known = operands(node).map((operand) => visit(operand, context));
    if (node.op === '[]' || node.op === '[?]') return indexed(known[0], node.op === '[?]');
    return plain(ANY);
  };

  const visitJunction = ([left, right]: readonly [ASTNode, ASTNode], conjunction: boolean, context: Context): Known => {
    visit(left, context);
    visit(right, after(left, conjunction, context));
    return plain(SCALAR);
  };

  const visitChoice = ([condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode], context: Context): Known => {
    visit(condition, context);
    const known = visit(yes, after(condition, true, context));
    visit(no, after(condition, false, context));
    return known;
  };

  /** `has(a.b)` asks for `b`, but needs `a`. */
  const visitHas = (argument: ASTNode | undefined, context: Context): Known => {
    const step = argument && stepOf(argument);
    if (argument && step) selected(visit(step.base, context), step.name, argument);
    return plain(SCALAR);
  };

  const visitStep = (
    node: ASTNode,
    { base, name, optional }: { base: ASTNode; name: string; optional: boolean },
    context: Context,
  ): Known => {
    const from = visit(base, context);
    const member = selected(from, name, node);
    const path = pathOf(node);
    const mayFail = member.optional === true && !optional && !from.optional;
    if (mayFail && !(path !== undefined && context.present.has(path))) unguarded.push({ path: path ?? name, offset: node.start });
    return { shape: member.shape, optional: optional || from.optional };
  };

  const visitMethod = (name: string, receiver: ASTNode, args: readonly ASTNode[], context: Context): Known => {
    const from = visit(receiver, context);
    const macro = macros.get(`${name}/${args.length}`);
    if (macro === undefined) for (const arg of args) visit(arg, context);
    else visitMacro(name, from, args, macro, context);
    if (name === 'orValue' || name === 'value') return plain(from.shape);
    return name === 'filter' ? plain(from.shape) : plain(ANY);
  };

  const visitMacro = (name: string, from: Known, args: readonly ASTNode[], macro: MacroShape, context: Context): void => {
    const inner = name === 'bind' && args[1] ? visit(args[1], context).shape : macro.loops ? elementsOf(from.shape) : from.shape;
    const variables = macro.variables.flatMap((index) => (args[index]?.op === 'id' ? [args[index].args] : []));
    const bound = variables.map((variable, index) => [variable, index === variables.length - 1 ? inner : SCALAR] as const);
    const outer = [...context.present].filter((path) => !variables.includes(path.split('.')[0] ?? ''));
    const body: Context = { shapes: { ...context.shapes, ...Object.fromEntries(bound) }, present: new Set(outer) };
    // A filter before the body holds in it: `transformList(k, v, filter, body)`, `map(x, filter, body)`.
    let within = body;
    for (const index of macro.bodies) {
      const part = args[index];
      if (part === undefined) continue;
      visit(part, within);
      within = after(part, true, within);
    }
  };

  visit(ast, { shapes, present: new Set() });
  return unguarded;
}

function after(condition: ASTNode, truth: boolean, context: Context): Context {
  const more = presentWhen(condition, truth, context.shapes);
  return more.size === 0 ? context : { ...context, present: new Set([...context.present, ...more]) };
}

/** @throws {CelError} where the shape rules the member out */
function selected(from: Known, name: string, node: ASTNode): MemberShape {
  const { shape } = from;
  if (shape.type === 'any') return { shape: ANY, optional: true };
  const member = memberOf(shape, name);
  if (member !== undefined) return member;
  const offset = node.start;
  if (shape.type !== 'object') throw new CelError(`the value is a ${shape.type} and cannot have the field '${name}'`, { offset });
  const near = nearest(name, Object.keys(shape.members));
  const known = near === undefined ? ` (known fields: ${Object.keys(shape.members).join(', ')})` : ` (did you mean '${near}'?)`;
  throw new CelError(`unknown field '${name}'${known}`, { offset });
}

function indexed(from: Known | undefined, optional: boolean): Known {
  return { shape: from?.shape.type === 'list' ? from.shape.items : ANY, optional: optional || (from?.optional ?? false) };
}

function elementsOf(shape: Shape): Shape {
  return shape.type === 'list' ? shape.items : ANY;
}

function plain(shape: Shape | undefined): Known {
  return { shape: shape ?? ANY, optional: false };
}
