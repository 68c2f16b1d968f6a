import type { ASTNode } from '@marcbachmann/cel-js';
import { isMap } from '../values.js';
import type { Workshop } from './accelerate.js';
import { type Closure, checked, fault } from './closure.js';

/** Operators. Values of a kind that a fast path does not know go to the library's own handler of the node. */
export function operatorClosure(node: ASTNode, workshop: Workshop): Closure | undefined {
  switch (node.op) {
    case '==':
    case '!=':
      return equality(node, node.args, node.op === '==', workshop);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(node, node.args, COMPARE[node.op], workshop);
    case '+':
      return binary(node, node.args, workshop, (left, right) =>
        typeof left === 'string' && typeof right === 'string' ? left + right : undefined,
      );
    case 'in':
      return binary(node, node.args, workshop, contains);
    case '&&':
    case '||':
      return logical(node, node.args, node.op === '||', workshop);
    case '!_':
      return negation(node, node.args, workshop);
    case '?:':
      return ternary(node.args, workshop);
    default:
      return undefined;
  }
}

/** `fast` gives undefined for what it does not know: no CEL value is undefined. */
function binary(
  node: ASTNode,
  [left, right]: [ASTNode, ASTNode],
  workshop: Workshop,
  fast: (left: unknown, right: unknown) => unknown,
): Closure {
  const [leftClosure, rightClosure] = [workshop.closure(left), workshop.closure(right)];
  const { handle } = checked(node);
  if (handle === undefined) return workshop.library(node);
  return (scope) => {
    const a = leftClosure(scope);
    const b = rightClosure(scope);
    const result = fast(a, b);
    return result === undefined ? handle(a, b, node, workshop.evaluator) : result;
  };
}

function equality(node: ASTNode, operands: [ASTNode, ASTNode], wanted: boolean, workshop: Workshop): Closure {
  return binary(node, operands, workshop, (left, right) => {
    const equal = equalScalars(left, right);
    return equal === undefined ? undefined : equal === wanted;
  });
}

/** Undefined where one of them is no scalar. */
function equalScalars(left: unknown, right: unknown): boolean | undefined {
  if (typeof left === 'string' && typeof right === 'string') return left === right;
  if (left === null || right === null) return left === right;
  const kind = typeof left;
  const other = typeof right;
  if (kind === 'object' || other === 'object') return undefined;
  if (kind === other) return left === right;
  // An int and a double are equal when they are the same number, which is what == says.
  const numbers = (kind === 'number' || kind === 'bigint') && (other === 'number' || other === 'bigint');
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  return numbers && left == right;
}

const COMPARE = {
  '<': (a: number | bigint, b: number | bigint) => a < b,
  '<=': (a: number | bigint, b: number | bigint) => a <= b,
  '>': (a: number | bigint, b: number | bigint) => a > b,
  '>=': (a: number | bigint, b: number | bigint) => a >= b,
};

function comparison(
  node: ASTNode,
  operands: [ASTNode, ASTNode],
  compare: (a: number | bigint, b: number | bigint) => boolean,
  workshop: Workshop,
): Closure {
  return binary(node, operands, workshop, (left, right) => (isNumber(left) && isNumber(right) ? compare(left, right) : undefined));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function contains(left: unknown, right: unknown): boolean | undefined {
  if (typeof left !== 'string') return undefined;
  if (Array.isArray(right)) return right.includes(left);
  if (!isMap(right)) return undefined;
  return right instanceof Map ? right.has(left) : Object.hasOwn(right, left);
}

/** Either side decides alone, even when the other fails: `false && error` and `error && false` are false. */
function logical(node: ASTNode, [left, right]: [ASTNode, ASTNode], deciding: boolean, workshop: Workshop): Closure {
  const [leftClosure, rightClosure] = [workshop.closure(left), workshop.closure(right)];
  const notBool = (operand: ASTNode) => fault(`'${node.op}' needs a bool on both sides`, operand);
  return (scope) => {
    let first: unknown;
    let failure: unknown;
    try {
      first = leftClosure(scope);
    } catch (error) {
      failure = error;
    }
    if (first === deciding) return deciding;
    const second = rightClosure(scope);
    if (second === deciding) return deciding;
    if (failure !== undefined) throw failure;
    if (typeof first !== 'boolean') throw notBool(left);
    if (typeof second !== 'boolean') throw notBool(right);
    return second;
  };
}

function negation(node: ASTNode, operand: ASTNode, workshop: Workshop): Closure {
  const closure = workshop.closure(operand);
  return (scope) => {
    const value = closure(scope);
    if (typeof value === 'boolean') return !value;
    throw fault(`'!' needs a bool`, node);
  };
}

function ternary([condition, then, otherwise]: [ASTNode, ASTNode, ASTNode], workshop: Workshop): Closure {
  const [conditionClosure, thenClosure, otherwiseClosure] = [
    workshop.closure(condition),
    workshop.closure(then),
    workshop.closure(otherwise),
  ];
  return (scope) => {
    const value = conditionClosure(scope);
    if (value === true) return thenClosure(scope);
    if (value === false) return otherwiseClosure(scope);
    throw fault(`the condition before '?' must be a bool`, condition);
  };
}
