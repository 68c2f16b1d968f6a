import type { ASTNode } from '@marcbachmann/cel-js';
import { Pattern } from '../pattern.js';
import type { Workshop } from './accelerate.js';
import { type Closure, checked, type Declaration, located } from './closure.js';
import { valueClosure } from './selections.js';

/** A function call whose one overload takes any values goes straight to it. */
export function callClosure(node: ASTNode, workshop: Workshop): Closure {
  const { candidates, handle } = checked(node);
  const args = (node.op === 'call' ? node.args[1] : []).map((arg) => workshop.closure(arg));
  const [only, ...others] = candidates?.declarations ?? [];
  if (handle === undefined || only === undefined) return workshop.library(node);
  if (others.length > 0 || !only.argTypes.every(({ kind }) => kind === 'dyn')) {
    return (scope) =>
      handle(
        args.map((arg) => arg(scope)),
        node,
        workshop.evaluator,
      );
  }
  if (node.op === 'call' && workshop.takesAbsent(only.handler))
    return direct(
      only.handler,
      node.args[1].map((arg) => valueClosure(arg, workshop)),
      node,
    );
  return direct(only.handler, args, node);
}

/** A method call: the overload whose types are those of the values, where they are plain to see. */
export function methodClosure(node: ASTNode, workshop: Workshop): Closure {
  const { candidates, handle } = checked(node);
  if (node.op !== 'rcall' || handle === undefined) return workshop.library(node);
  const receiver = workshop.closure(node.args[1]);
  const args = node.args[2].map((operand) => workshop.closure(operand));
  const overloads = (candidates?.declarations ?? []).flatMap(overloadOf);
  const [first] = args;
  // Nearly every method has one argument or none: these take no lists of values.
  if (args.length === 0) return bareMethod(node, receiver, overloads, handle, workshop);
  if (first !== undefined && args.length === 1) return simpleMethod(node, receiver, first, overloads, handle, workshop);
  return (scope) => {
    const values = [receiver(scope), ...args.map((arg) => arg(scope))];
    const overload = overloads.find(({ tests }) => tests.every((test, index) => test(values[index])));
    if (overload === undefined) return handle(values, workshop.evaluator, node);
    return invoke(overload.handler, values, node);
  };
}

type Handle = (...args: unknown[]) => unknown;

function bareMethod(node: ASTNode, receiver: Closure, overloads: readonly Overload[], handle: Handle, workshop: Workshop): Closure {
  return (scope) => {
    const value = receiver(scope);
    for (const { handler, tests } of overloads) {
      if (!tests[0]?.(value)) continue;
      try {
        return handler(value);
      } catch (error) {
        throw located(error, node);
      }
    }
    return handle([value], workshop.evaluator, node);
  };
}

function simpleMethod(
  node: ASTNode,
  receiver: Closure,
  arg: Closure,
  overloads: readonly Overload[],
  handle: Handle,
  workshop: Workshop,
): Closure {
  return (scope) => {
    const value = receiver(scope);
    const given = arg(scope);
    for (const { handler, tests } of overloads) {
      if (!tests[0]?.(value) || !tests[1]?.(given)) continue;
      try {
        return handler(value, given);
      } catch (error) {
        throw located(error, node);
      }
    }
    return handle([value, given], workshop.evaluator, node);
  };
}

function direct(handler: Declaration['handler'], args: readonly Closure[], node: ASTNode): Closure {
  const [first, second] = args;
  if (first !== undefined && args.length === 1) {
    return (scope) => {
      const value = first(scope);
      try {
        return handler(value);
      } catch (error) {
        throw located(error, node);
      }
    };
  }
  if (first !== undefined && second !== undefined && args.length === 2) {
    return (scope) => {
      const a = first(scope);
      const b = second(scope);
      try {
        return handler(a, b);
      } catch (error) {
        throw located(error, node);
      }
    };
  }
  return (scope) =>
    invoke(
      handler,
      args.map((arg) => arg(scope)),
      node,
    );
}

function invoke(handler: Declaration['handler'], values: readonly unknown[], node: ASTNode): unknown {
  try {
    return handler(...values);
  } catch (error) {
    throw located(error, node);
  }
}

interface Overload {
  readonly handler: Declaration['handler'];
  readonly tests: readonly ((value: unknown) => boolean)[];
}

/** Types that a value shows at a glance. */
const TESTS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['string', (value) => typeof value === 'string'],
  ['int', (value) => typeof value === 'bigint'],
  ['bool', (value) => typeof value === 'boolean'],
  ['list<dyn>', (value) => Array.isArray(value)],
  ['bylaw.Pattern', (value) => value instanceof Pattern],
]);

/** Nothing for an overload with a type that is not plain to see: the library decides. */
function overloadOf({ handler, receiverType, argTypes }: Declaration): Overload[] {
  const tests = [receiverType, ...argTypes].map((type) => (type === null ? undefined : TESTS.get(type.name)));
  return tests.every((test) => test !== undefined) ? [{ handler, tests }] : [];
}
