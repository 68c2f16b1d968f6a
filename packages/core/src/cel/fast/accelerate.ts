import type { ASTNode } from '@marcbachmann/cel-js';
import { operands } from '../syntax.js';
import { callClosure, methodClosure } from './calls.js';
import { type CheckedNode, type Closure, checked, type LibraryEvaluator } from './closure.js';
import { loopClosure } from './loops.js';
import { operatorClosure } from './operators.js';
import { isSelection, optionalClosure, selectionClosure } from './selections.js';

/** What closures are made with: the closure of an operand, and the library's way to run a node. */
export interface Workshop {
  readonly evaluator: LibraryEvaluator;
  closure(node: ASTNode): Closure;
  library(node: ASTNode): Closure;
  /** Whether a function takes undefined for an absent optional, and what is inside for a present one. */
  takesAbsent(handler: unknown): boolean;
}

/**
 * Makes a checked expression fast. The library finds the overload of every operator and call again each time, by the types
 * of the values; here each node gets a closure that looks at the values for the usual case (texts, truth values, numbers,
 * maps and lists of a document) and leaves everything else to the library. A test compares both on arbitrary input.
 * @param total the functions that take undefined for an absent optional.
 * @returns the closure of the whole, which the library runs, too
 */
export function accelerate(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>): Closure {
  const made = new Map<ASTNode, Closure>();
  const workshop: Workshop = {
    evaluator,
    closure(node) {
      const known = made.get(node);
      if (known !== undefined) return known;
      for (const operand of operands(node)) if (operand !== node) this.closure(operand);
      const closure = closureOf(node, this);
      made.set(node, closure);
      checked(node).evaluate = (_evaluator, _node, scope) => closure(scope);
      return closure;
    },
    library: (node) => libraryClosure(checked(node), evaluator),
    takesAbsent: (handler) => total.has(handler),
  };
  return workshop.closure(ast);
}

function closureOf(node: ASTNode, workshop: Workshop): Closure {
  const { alternate, macro } = checked(node).meta;
  const library = workshop.library(node);
  if (node.op === 'rcall')
    return loopClosure(node, workshop) ?? optionalClosure(node, workshop) ?? (macro || alternate ? library : methodClosure(node, workshop));
  if (macro || alternate) return library;
  if (isSelection(node)) return selectionClosure(node, workshop);
  switch (node.op) {
    case 'value': {
      const value = node.args;
      return () => value;
    }
    case 'id': {
      const name = node.args;
      return (scope) => scope.getValue(name) ?? library(scope);
    }
    case 'list':
      return listClosure(node.args, workshop);
    case 'call':
      return callClosure(node, workshop);
    default:
      return operatorClosure(node, workshop) ?? library;
  }
}

/** A list of literals is made once: no function changes a list. */
function listClosure(items: readonly ASTNode[], workshop: Workshop): Closure {
  const closures = items.map((item) => workshop.closure(item));
  if (items.every((item) => item.op === 'value')) {
    const constant = items.map((item) => item.args);
    return () => constant;
  }
  return (scope) => closures.map((closure) => closure(scope));
}

function libraryClosure(node: CheckedNode, evaluator: LibraryEvaluator): Closure {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate !== undefined) return (scope) => alternate.evaluate(evaluator, alternate, scope);
  if (macro !== undefined) return (scope) => macro.evaluate(evaluator, macro, scope);
  return (scope) => evaluate(evaluator, node, scope);
}
