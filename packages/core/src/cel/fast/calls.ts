import type { ASTNode } from '@marcbachmann/cel-js';
import { callCost, free, SHORT, spendOnText } from '../budget/costs.js';
import { isOptional } from '../optional.js';
import { Pattern } from '../pattern/pattern.js';
import { quoted } from '../quoted.js';
import { hasClass, isMapValue, isOfType } from '../runtime/types.js';
import { checked, type Declaration } from './library.js';
import { emitValue } from './selections.js';
import type { Code, Known, Locals, Workshop, Writer } from './writer.js';

/** A function call whose one overload takes any values goes straight to it. */
export function emitCall(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { candidates, handle } = checked(node);
  if (node.op !== 'call' || handle === undefined) return undefined;
  const { writer, evaluator } = workshop;
  const args = node.args[1];
  const size = emitSize(node, locals, workshop);
  if (size !== undefined) return { source: `BigInt(${size.source})`, known: 'any' };
  const [only, ...others] = candidates?.declarations ?? [];
  const handler = only && others.length === 0 && only.argTypes.every(({ kind }) => kind === 'dyn') ? writer.overload(only) : undefined;
  if (only === undefined || handler === undefined) {
    const codes = args.map((arg) => workshop.emit(arg, locals));
    const { names, assigned } = emitArguments(node.args[0], args, codes, writer);
    writer.canThrow();
    const call = writer.library((bind) => `${bind(handle)}([${names.join(', ')}], ${bind(node)}, ${bind(evaluator)})`);
    const known = writer.tellsTypes ? emitOverloads(node, args, codes, names, call, writer) : call;
    return { source: `(${[...assigned, known].join(', ')})`, known: 'any' };
  }
  const total = workshop.isTotal(only.handler);
  const codes = args.map((arg) => (total ? emitValue(arg, locals, workshop) : workshop.emit(arg, locals)));
  const { names, assigned } = emitArguments(node.args[0], args, codes, writer);
  if (!total) assigned.push(writer.place(node));
  return { source: `(${[...assigned, `${handler}(${names.join(', ')})`].join(', ')})`, known: 'any' };
}

interface Arguments {
  readonly names: readonly string[];
  /** Give the names their values, and count what the call costs by them. */
  readonly assigned: string[];
}

function emitArguments(name: string, operands: readonly ASTNode[], codes: readonly Code[], writer: Writer): Arguments {
  const names = codes.map(() => writer.temporary());
  const values = codes.map(({ source }, index) => `${names[index]} = ${source}`);
  return { names, assigned: [...values, ...emitCost(name, operands, codes, names, writer)] };
}

function emitCost(name: string, operands: readonly ASTNode[], codes: readonly Code[], names: readonly string[], writer: Writer): string[] {
  const cost = callCost(name);
  if (cost === free) return [];
  if (cost !== undefined) return [`${writer.cost(name)}(${names.join(', ')})`];
  const varies = codes.map(({ known }, index) => known !== 'bool' && known !== 'count' && operands[index]?.op !== 'value');
  return names.filter((_, index) => varies[index]).map((name) => readText(name, writer));
}

/** Counts what it costs to read the value of this name, where it is a text. Nearly all are short, which is seen without a call. */
export function readText(name: string, writer: Writer): string {
  return `typeof ${name} === "string" && ${name}.length > ${SHORT} && ${writer.helper(spendOnText)}(${name})`;
}

/** `size(list)` as a number of the engine; undefined where the argument may not be a list. */
export function emitSize(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { handle } = checked(node);
  if (node.op !== 'call' || node.args[0] !== 'size' || node.args[1].length !== 1 || handle === undefined) return undefined;
  const [list] = node.args[1];
  if (list === undefined || checked(list).checkedType?.kind !== 'list') return undefined;
  const { writer, evaluator } = workshop;
  const value = writer.temporary();
  const { source } = workshop.emit(list, locals);
  writer.canThrow();
  const slow = `Number(${writer.library((bind) => `${bind(handle)}([${value}], ${bind(node)}, ${bind(evaluator)})`)})`;
  return { source: `(Array.isArray(${value} = ${source}) ? ${value}.length : ${slow})`, known: 'count' };
}

/** A method call: the overload whose types are those of the values, where they are plain to see. */
export function emitMethod(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { handle } = checked(node);
  if (node.op !== 'rcall' || handle === undefined) return undefined;
  const { writer, evaluator } = workshop;
  const operands = [node.args[1], ...node.args[2]];
  const codes = operands.map((operand) => emitNamespace(operand, writer) ?? workshop.emit(operand, locals));
  const { names, assigned } = emitArguments(node.args[0], operands, codes, writer);
  writer.canThrow();
  const call = writer.library((bind) => `${bind(handle)}([${names.join(', ')}], ${bind(evaluator)}, ${bind(node)})`);
  return { source: `(${[...assigned, emitOverloads(node, operands, codes, names, call, writer)].join(', ')})`, known: 'any' };
}

/** What functions hang on, such as `math`. They take it, but look only at their other arguments. */
function emitNamespace(node: ASTNode, writer: Writer): Code | undefined {
  const value = namespaceOf(node);
  if (value === undefined) return undefined;
  const source = writer.library(
    (bind) => bind(value),
    () => 'undefined',
  );
  return { source, known: 'any' };
}

function namespaceOf(node: ASTNode | undefined): unknown {
  const alternate = node?.op === 'id' ? checked(node).meta.alternate : undefined;
  return alternate?.op === 'value' ? alternate.args : undefined;
}

/** The overloads whose types the values show at a glance, in their order, and `otherwise`. */
function emitOverloads(
  node: ASTNode,
  operands: readonly ASTNode[],
  codes: readonly Code[],
  names: readonly string[],
  otherwise: string,
  writer: Writer,
): string {
  const choices: string[] = [];
  /** Arguments whose type some overload before knows better than the code here. */
  const untold = new Set<number>();
  for (const declaration of checked(node).candidates?.declarations ?? []) {
    const types = typesOf(node, declaration);
    const tests = types.map((type, index) =>
      type === 'dyn' && writer.tellsTypes && !untold.has(index)
        ? 'true'
        : testOf(type, names[index] ?? '', codes[index]?.known, operands[index], writer),
    );
    tests.forEach((test, index) => {
      if (test === undefined) untold.add(index);
    });
    const handler = tests.includes(undefined) ? undefined : writer.overload(declaration);
    if (handler === undefined && tests.includes(undefined)) continue;
    const condition = tests.filter((test) => test !== 'true').join(' && ') || 'true';
    const call = handler === undefined ? otherwise : `(${writer.place(node)}, ${handler}(${names.join(', ')}))`;
    choices.push(`${condition} ? ${call} : `);
  }
  return choices.join('') + otherwise;
}

function typesOf(node: ASTNode, { receiverType, argTypes }: Declaration): (string | undefined)[] {
  const types = argTypes.map(({ name, kind }) => (kind === 'param' ? 'dyn' : name));
  return node.op === 'rcall' ? [receiverType?.name, ...types] : types;
}

/** Types that a value shows at a glance. Nothing for others: the library decides. */
function testOf(
  type: string | undefined,
  name: string,
  known: Known | undefined,
  operand: ASTNode | undefined,
  writer: Writer,
): string | undefined {
  switch (type) {
    case 'string':
      return known === 'string' ? 'true' : `typeof ${name} === "string"`;
    case 'int':
      return `typeof ${name} === "bigint"`;
    case 'bool':
      return known === 'bool' ? 'true' : `typeof ${name} === "boolean"`;
    case 'list<dyn>':
      return known === 'list' ? 'true' : `Array.isArray(${name})`;
    case 'bylaw.Pattern':
      return operand?.op === 'value' && (operand.args as unknown) instanceof Pattern ? 'true' : undefined;
    default:
      return writer.tellsTypes ? testOfOther(type, name, operand, writer) : undefined;
  }
}

function testOfOther(type: string | undefined, name: string, operand: ASTNode | undefined, writer: Writer): string | undefined {
  if (type === undefined) return undefined;
  if (type === 'double') return `typeof ${name} === "number"`;
  if (type.startsWith('list<')) return `Array.isArray(${name})`;
  if (type.startsWith('map<')) return `${writer.helper(isMapValue)}(${name})`;
  if (type.startsWith('optional<')) return `${writer.helper(isOptional)}(${name})`;
  if (namespaceOf(operand) !== undefined) return operand && checked(operand).checkedType?.type === type ? 'true' : undefined;
  return hasClass(type) ? `${writer.helper(isOfType)}(${name}, ${quoted(type)})` : undefined;
}
