/**
 * What is known of a value before there is one: which members a variable can have, and which it always has. With it,
 * `compile` finds members that can never be there, and tells which ones an expression reads without asking for them first.
 */
export type Shape =
  | { readonly type: 'scalar' }
  /** Anything, as the input has it. */
  | { readonly type: 'any' }
  | { readonly type: 'list'; readonly items: Shape }
  | { readonly type: 'object'; readonly members: { readonly [name: string]: MemberShape } };

export interface MemberShape {
  readonly shape: Shape;
  /** It may be missing. */
  readonly optional?: boolean;
  /** Members beside it that are there when it is true. */
  readonly implies?: readonly string[];
}

/** A member that an expression reads although it may be missing. */
export interface Unguarded {
  /** As written, for example `proposal.action.cost`. */
  readonly path: string;
  /** Offset into the expression, in UTF-16 units. */
  readonly offset: number;
}

export const ANY: Shape = { type: 'any' };
export const SCALAR: Shape = { type: 'scalar' };
