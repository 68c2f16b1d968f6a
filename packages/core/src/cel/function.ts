/**
 * A function that CEL expressions can call, with what its reference page says. One signature is one entry: a function
 * with several signatures has several entries of the same name.
 */
export interface CelFunction {
  /**
   * In the library's notation: `name(type, …): type`, or `receiver.name(type, …): type`. An argument of type `pattern` is
   * a literal RE2 pattern; the function gets it compiled.
   */
  readonly signature: string;
  /** One line for the reference. */
  readonly summary: string;
  /** A CEL expression that is true; a test evaluates it. */
  readonly example: string;
  /** Takes any value, an optional or nothing (an absent optional) for every argument but a literal, and never fails. */
  readonly total?: boolean;
  /** May find, whatever its arguments are, that what decides is unknown. */
  readonly raises?: boolean;
  /** Takes the place of a function of the library that differs from the CEL specification. */
  readonly replaces?: boolean;
  /**
   * Takes the arguments, after the receiver where there is one. Throws only what `failure` makes.
   * The parameters are `never` so that each function can name the types that its signature promises.
   */
  readonly call: (...args: never[]) => unknown;
}

/** A type of our own, such as `kubernetes.Quantity`. */
export interface CelType {
  readonly name: string;
  /** Its values are recognised by their `constructor`. */
  readonly constructor: abstract new (
    ...args: never[]
  ) => object;
}

/** A value of such a type that expressions can compare: equal values of one type have equal keys. */
export interface Comparable {
  readonly identity: string;
}

/** A name that functions hang on: `math` in `math.greatest(1, 2)`. */
export interface CelNamespace {
  readonly name: string;
  readonly type: CelType;
  readonly value: object;
}

/** `math` becomes a constant of the type `bylaw.math`; its functions have the receiver `bylaw.math`. */
export function celNamespace(name: string): CelNamespace {
  class Namespace {}
  return { name, type: { name: `bylaw.${name}`, constructor: Namespace }, value: new Namespace() };
}

export interface ParsedSignature {
  receiver: string | undefined;
  name: string;
  parameters: string[];
  returns: string;
}

export function parseSignature(signature: string): ParsedSignature {
  const match = /^(?:([\w.<>]+)\.)?(\w+)\((.*)\): (.+)$/.exec(signature);
  if (match === null) throw new TypeError(`not a signature: ${signature}`);
  const [, receiver, name = '', parameters = '', returns = ''] = match;
  return { receiver, name, parameters: parameters === '' ? [] : parameters.split(', '), returns };
}
