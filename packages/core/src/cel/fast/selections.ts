import { type ASTNode, Optional } from '@marcbachmann/cel-js';
import { member } from '../values.js';
import type { Workshop } from './accelerate.js';
import { type Closure, checked, fault, isOptionalNode } from './closure.js';

/** A field or index of a value; `key` is what it selects. */
interface Selection {
  readonly base: ASTNode;
  readonly key: string | bigint;
  /** An optional selection never fails: what is not there is absent. */
  readonly optional: boolean;
}

export function isSelection(node: ASTNode): boolean {
  return selectionOf(node) !== undefined;
}

/** `a.b`, `a["b"]`, `a.?b`, `a[?"b"]`, `a[?0]`. A field of an optional is itself optional. */
function selectionOf(node: ASTNode): Selection | undefined {
  switch (node.op) {
    case '.':
    case '.?':
      return { base: node.args[0], key: node.args[1], optional: node.op === '.?' || isOptionalNode(node.args[0]) };
    case '[]':
    case '[?]': {
      const [base, index] = node.args;
      const optional = node.op === '[?]' || isOptionalNode(base);
      if (index.op !== 'value') return undefined;
      if (typeof index.args === 'string') return { base, key: index.args, optional };
      return optional && typeof index.args === 'bigint' ? { base, key: index.args, optional } : undefined;
    }
    default:
      return undefined;
  }
}

export function selectionClosure(node: ASTNode, workshop: Workshop): Closure {
  const selection = selectionOf(node);
  if (selection === undefined) return workshop.library(node);
  if (selection.optional) {
    const value = valueClosure(node, workshop);
    return (scope) => {
      const found = value(scope);
      return found === undefined ? Optional.none() : Optional.of(found);
    };
  }
  return fieldClosure(node, selection, workshop);
}

/** A field that must be there. */
function fieldClosure(node: ASTNode, { base, key }: Selection, workshop: Workshop): Closure {
  const baseClosure = workshop.closure(base);
  const { handle } = checked(node);
  return (scope) => {
    const from = baseClosure(scope);
    const found = typeof key === 'string' ? member(from, key) : undefined;
    if (found !== undefined) return found;
    if (handle === undefined) throw fault(`No such key: ${key}`, node);
    return handle(from, key, node, workshop.evaluator);
  };
}

/** The value itself, of an optional the value inside, undefined where it is absent: a chain of selections makes no optionals on its way. */
export function valueClosure(node: ASTNode, workshop: Workshop): Closure {
  const selection = selectionOf(node);
  if (selection === undefined || !selection.optional) {
    const closure = workshop.closure(node);
    return (scope) => {
      const value = closure(scope);
      return value instanceof Optional ? value.orValue(undefined) : value;
    };
  }
  const from = valueClosure(selection.base, workshop);
  const { key } = selection;
  if (typeof key === 'string') return (scope) => member(from(scope), key);
  const index = Number(key);
  return (scope) => {
    const list = from(scope);
    return Array.isArray(list) ? list[index] : member(list, String(index));
  };
}

/** `optional.orValue(x)` and `optional.hasValue()`. */
export function optionalClosure(node: ASTNode, workshop: Workshop): Closure | undefined {
  if (node.op !== 'rcall' || !isOptionalNode(node.args[1])) return undefined;
  const [name, receiver, args] = node.args;
  const [otherwise] = args;
  if (name === 'orValue' && otherwise !== undefined && args.length === 1) {
    const value = valueClosure(receiver, workshop);
    const otherwiseClosure = workshop.closure(otherwise);
    return (scope) => {
      const found = value(scope);
      return found === undefined ? otherwiseClosure(scope) : found;
    };
  }
  if (name === 'hasValue' && args.length === 0) {
    const value = valueClosure(receiver, workshop);
    return (scope) => value(scope) !== undefined;
  }
  return undefined;
}
