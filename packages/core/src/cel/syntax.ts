import type { ASTNode } from '@marcbachmann/cel-js';

export type { ASTNode };

/** What a macro binds: which arguments name variables, which arguments see them, and whether it loops. */
export interface MacroShape {
  readonly variables: readonly number[];
  readonly bodies: readonly number[];
  readonly loops: boolean;
}

const oneVariable = (bodies: number[]): MacroShape => ({ variables: [0], bodies, loops: true });
const twoVariables = (bodies: number[]): MacroShape => ({ variables: [0, 1], bodies, loops: true });

/** Every macro that can be called, by name and number of arguments. */
const MACRO_SHAPES: ReadonlyMap<string, MacroShape> = new Map([
  ['all/2', oneVariable([1])],
  ['exists/2', oneVariable([1])],
  ['exists_one/2', oneVariable([1])],
  ['existsOne/2', oneVariable([1])],
  ['filter/2', oneVariable([1])],
  ['map/2', oneVariable([1])],
  ['map/3', oneVariable([1, 2])],
  ['sortBy/2', oneVariable([1])],
  ['all/3', twoVariables([2])],
  ['exists/3', twoVariables([2])],
  ['existsOne/3', twoVariables([2])],
  ['transformList/3', twoVariables([2])],
  ['transformList/4', twoVariables([2, 3])],
  ['transformMap/3', twoVariables([2])],
  ['transformMap/4', twoVariables([2, 3])],
  ['optMap/2', { variables: [0], bodies: [1], loops: false }],
  ['optFlatMap/2', { variables: [0], bodies: [1], loops: false }],
  ['bind/3', { variables: [0], bodies: [2], loops: false }],
]);

/** The macro that a method call is, if it is one. */
export function macroShape(node: ASTNode): MacroShape | undefined {
  return node.op === 'rcall' ? MACRO_SHAPES.get(`${node.args[0]}/${node.args[2].length}`) : undefined;
}

/** A node's direct operands, in the order of the source. */
export function operands(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}
