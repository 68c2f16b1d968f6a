import type { ASTNode } from '@marcbachmann/cel-js';
import { spend } from '../budget.js';
import { entriesOf, isMap } from '../values.js';
import type { Workshop } from './accelerate.js';
import { type Closure, checked, fault, type LoopScope } from './closure.js';

type Run = (item: unknown) => unknown;
type Loop = (items: readonly unknown[], bodies: readonly Run[]) => unknown;

/** The library's macros of one variable, by name and number of arguments. */
const LOOPS: ReadonlyMap<string, (node: ASTNode) => Loop> = new Map<string, (node: ASTNode) => Loop>([
  ['all/2', (node) => (items, bodies) => quantify(items, predicate(bodies, node), false)],
  ['exists/2', (node) => (items, bodies) => quantify(items, predicate(bodies, node), true)],
  ['exists_one/2', (node) => (items, bodies) => items.filter(predicate(bodies, node)).length === 1],
  ['filter/2', (node) => (items, bodies) => items.filter(predicate(bodies, node))],
  ['map/2', () => (items, bodies) => items.map((item) => bodies[0]?.(item))],
  ['map/3', (node) => (items, bodies) => items.filter(predicate(bodies, node)).map((item) => bodies[1]?.(item))],
]);

export function loopClosure(node: ASTNode, workshop: Workshop): Closure | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, [, ...bodies]] = node.args;
  const { alternate } = checked(node).meta;
  const loop = LOOPS.get(`${name}/${bodies.length + 1}`)?.(node);
  if (alternate?.op !== 'comprehension' || loop === undefined) return undefined;
  // The library keeps the scope of the variable with the expansion of the macro.
  const { iterCtx } = alternate.args as { iterCtx: LoopScope };
  const range = workshop.closure(receiver);
  const closures = bodies.map((body) => workshop.closure(body));
  return (scope) => {
    const items = itemsOf(range(scope), receiver);
    spend(items.length);
    const inner = iterCtx.reuse(scope);
    return loop(
      items,
      closures.map((closure) => (item) => {
        if (inner.iterType.kind === 'dyn') inner.iterValue = item;
        else inner.setIterValue(item, workshop.evaluator);
        return closure(inner);
      }),
    );
  };
}

/** The items of a list, the keys of a map. */
function itemsOf(range: unknown, node: ASTNode): readonly unknown[] {
  if (Array.isArray(range)) return range;
  if (isMap(range)) return entriesOf(range).map(([key]) => key);
  throw fault('only a list or a map has elements', node);
}

/** `exists` (wanted true) and `all` (wanted false): an error counts only when no item decides. */
function quantify(items: readonly unknown[], holds: (item: unknown) => boolean, wanted: boolean): boolean {
  let failed = false;
  let failure: unknown;
  for (const item of items) {
    try {
      if (holds(item) === wanted) return wanted;
    } catch (error) {
      if (!failed) failure = error;
      failed = true;
    }
  }
  if (failed) throw failure;
  return !wanted;
}

function predicate([body]: readonly Run[], node: ASTNode): (item: unknown) => boolean {
  return (item) => {
    const value = body?.(item);
    if (typeof value === 'boolean') return value;
    throw fault('the predicate must be a bool', node);
  };
}
