import type { ASTNode } from '@marcbachmann/cel-js';

export type { ASTNode };

/** What a macro binds: which arguments name variables, which arguments see them, and whether it loops. */
export interface MacroShape {
  readonly variables: readonly number[];
  readonly bodies: readonly number[];
  readonly loops: boolean;
}

/** The macros of the library, by name and number of arguments. */
export const LIBRARY_MACROS: ReadonlyMap<string, MacroShape> = new Map([
  ...['all/2', 'exists/2', 'exists_one/2', 'filter/2', 'map/2', 'map/3'].map((key) => [key, macroShape(key, 1, true)] as const),
  ['bind/3', { variables: [0], bodies: [2], loops: false }],
]);

/** A macro whose first arguments name variables that all others see. */
export function macroShape(key: string, variables: number, loops: boolean): MacroShape {
  const indexes = Array.from({ length: Number(key.split('/')[1]) }, (_, index) => index);
  return { variables: indexes.slice(0, variables), bodies: indexes.slice(variables), loops };
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
