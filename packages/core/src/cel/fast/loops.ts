import type { ASTNode } from '@marcbachmann/cel-js';
import { entriesOf, isMap } from '../values.js';
import type { Workshop } from './accelerate.js';
import { type Closure, checked, fault, type LoopScope } from './closure.js';

type Loop = (items: readonly unknown[], body: (item: unknown) => unknown) => unknown;

/** The library's macros of one variable that rules use most. */
const LOOPS: { readonly [name: string]: (node: ASTNode) => Loop } = {
  all: (node) => (items, body) => quantify(items, body, false, node),
  exists: (node) => (items, body) => quantify(items, body, true, node),
  filter: (node) => (items, body) => items.filter((item) => truth(body(item), node)),
  map: () => (items, body) => items.map((item) => body(item)),
};

export function loopClosure(node: ASTNode, workshop: Workshop): Closure | undefined {
  if (node.op !== 'rcall' || node.args[2].length !== 2) return undefined;
  const [name, receiver, [, body]] = node.args;
  const { alternate } = checked(node).meta;
  const loop = Object.hasOwn(LOOPS, name) ? LOOPS[name]?.(node) : undefined;
  if (alternate?.op !== 'comprehension' || loop === undefined || body === undefined) return undefined;
  // The library keeps the scope of the variable with the expansion of the macro.
  const { iterCtx } = alternate.args as { iterCtx: LoopScope };
  const [rangeClosure, bodyClosure] = [workshop.closure(receiver), workshop.closure(body)];
  return (scope) => {
    const items = itemsOf(rangeClosure(scope), receiver);
    const inner = iterCtx.reuse(scope);
    return loop(items, (item) => {
      if (inner.iterType.kind === 'dyn') inner.iterValue = item;
      else inner.setIterValue(item, workshop.evaluator);
      return bodyClosure(inner);
    });
  };
}

/** The items of a list, the keys of a map. */
function itemsOf(range: unknown, node: ASTNode): readonly unknown[] {
  if (Array.isArray(range)) return range;
  if (isMap(range)) return entriesOf(range).map(([key]) => key);
  throw fault('only a list or a map has elements', node);
}

/** `exists` (wanted true) and `all` (wanted false): an error counts only when no item decides. */
function quantify(items: readonly unknown[], body: (item: unknown) => unknown, wanted: boolean, node: ASTNode): boolean {
  let failed = false;
  let failure: unknown;
  for (const item of items) {
    try {
      if (truth(body(item), node) === wanted) return wanted;
    } catch (error) {
      if (!failed) failure = error;
      failed = true;
    }
  }
  if (failed) throw failure;
  return !wanted;
}

function truth(value: unknown, node: ASTNode): boolean {
  if (typeof value === 'boolean') return value;
  throw fault('the predicate must be a bool', node);
}
