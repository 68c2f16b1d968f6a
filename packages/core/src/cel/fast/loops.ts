import type { ASTNode } from '@marcbachmann/cel-js';
import { spend } from '../budget/budget.js';
import { costOf } from '../budget/costs.js';
import { isOptional } from '../optional.js';
import { itemsOf } from '../runtime/operands.js';
import { isMapValue } from '../runtime/types.js';
import { checked, type VariableScope } from './library.js';
import { asBool } from './operators.js';
import type { Code, Locals, Workshop, Writer } from './writer.js';

/** The library's macros of one variable, by name and number of arguments. */
const LOOPS: ReadonlySet<string> = new Set(['all/2', 'exists/2', 'exists_one/2', 'filter/2', 'map/2', 'map/3']);

/** Steps of one run of a body, beside what the body does: the loop itself, and a place in its result. */
const PER_RUN = 8;

export function emitLoop(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, [variable, ...bodies]] = node.args;
  const { alternate } = checked(node).meta;
  const [body, transform] = bodies;
  if (alternate?.op !== 'comprehension' || variable?.op !== 'id' || body === undefined) return undefined;
  if (!LOOPS.has(`${name}/${bodies.length + 1}`)) return undefined;
  const { writer } = workshop;
  const items = writer.temporary();
  const range = workshop.emit(receiver, locals);
  writer.line(
    `${items} = ${range.known === 'list' ? range.source : `${writer.helper(itemsOf)}(${range.source}, ${writer.node(receiver)})`};`,
  );
  writer.line(`${writer.place(node)};`);
  const [index, item, result] = [writer.temporary(), writer.temporary(), writer.temporary()];
  // The library keeps the scope of the variable with the expansion of the macro.
  const { iterCtx } = alternate.args as { iterCtx: VariableScope };
  const inner: Locals = new Map([...locals, [variable.args, item]]);
  const cost = bodies.reduce((sum, one) => sum + costOf(one), PER_RUN);
  const loop = `for (${index} = 0; ${index} < ${items}.length; ${index}++) { ${writer.helper(spend)}(${cost});`;
  const next = () => writer.line(`${item} = ${items}[${index}];${checkType(item, iterCtx, workshop)}`);
  const holds = () => asBool(workshop.emit(body, inner), 'the predicate must be a bool', node, writer);
  if (name === 'all' || name === 'exists') {
    const wanted = name === 'exists';
    const { lines, throws } = writer.block(() => {
      next();
      writer.line(`if (${holds()} === ${wanted}) { ${result} = ${wanted}; break; }`);
      return { source: '', known: 'any' };
    });
    // An error counts only when no item decides.
    const failure = throws ? writer.temporary() : undefined;
    writer.line(`${result} = ${!wanted};${failure === undefined ? '' : ` ${failure} = undefined;`} ${loop}`);
    if (failure === undefined) writer.lines(lines);
    else writer.attempt(lines, failure);
    writer.line('}');
    if (failure !== undefined) writer.line(`if (${result} === ${!wanted} && ${failure} !== undefined) throw ${failure};`);
    return { source: result, known: 'bool' };
  }
  writer.line(`${result} = ${name === 'exists_one' ? '0' : '[]'}; ${loop}`);
  next();
  if (name === 'map') {
    if (transform !== undefined) writer.line(`if (!${holds()}) continue;`);
    writer.line(`${result}.push(${workshop.emit(transform ?? body, inner).source}); }`);
    return { source: result, known: 'list' };
  }
  writer.line(`if (${holds()}) ${name === 'filter' ? `${result}.push(${item})` : `${result}++`}; }`);
  return name === 'filter' ? { source: result, known: 'list' } : { source: `(${result} === 1)`, known: 'bool' };
}

/** `cel.bind(name, value, body)`. */
export function emitBinding(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { macro } = checked(node).meta;
  if (node.op !== 'rcall' || macro?.bindCtx === undefined) return undefined;
  const [, , [variable, value, body]] = node.args;
  if (variable?.op !== 'id' || value === undefined || body === undefined) return undefined;
  const { writer } = workshop;
  const name = writer.temporary();
  writer.line(`${name} = ${workshop.emit(value, locals).source};${checkType(name, macro.bindCtx, workshop)}`);
  return workshop.emit(body, new Map([...locals, [variable.args, name]]));
}

/** What the library refuses to bind to a variable of this type, we refuse, too. */
function checkType(name: string, scope: VariableScope, { writer, evaluator }: Workshop): string {
  const { kind, type } = scope.iterType;
  if (kind === 'dyn') return '';
  writer.canThrow();
  const check = writer.library((bind) => `${bind(scope)}.setIterValue(${name}, ${bind(evaluator)})`);
  const test = type === 'string' ? `typeof ${name} === "string"` : writer.tellsTypes ? testOfKind(kind, type, name, writer) : undefined;
  return test === undefined ? ` ${check};` : ` if (!(${test})) ${check};`;
}

/** The library looks at the type of a value no more closely. */
function testOfKind(kind: string, type: string, name: string, writer: Writer): string | undefined {
  if (kind === 'list') return `Array.isArray(${name})`;
  if (kind === 'map') return `${writer.helper(isMapValue)}(${name})`;
  if (kind === 'optional') return `${writer.helper(isOptional)}(${name})`;
  if (type === 'double') return `typeof ${name} === "number"`;
  if (type === 'int') return `typeof ${name} === "bigint"`;
  return type === 'bool' ? `typeof ${name} === "boolean"` : undefined;
}
