import type { ASTNode } from '@marcbachmann/cel-js';
import { callCost, free, SHORT, spendOnText } from '../budget/costs.js';
import { Pattern } from '../pattern/pattern.js';
import { checked } from './library.js';
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
  if (only === undefined || others.length > 0 || !only.argTypes.every(({ kind }) => kind === 'dyn')) {
    const codes = args.map((arg) => workshop.emit(arg, locals));
    const { names, assigned } = emitArguments(node.args[0], args, codes, writer);
    writer.canThrow();
    const call = `${writer.bind(handle)}([${names.join(', ')}], ${writer.bind(node)}, ${writer.bind(evaluator)})`;
    return { source: `(${[...assigned, call].join(', ')})`, known: 'any' };
  }
  const handler = writer.bind(only.handler);
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
  if (cost !== undefined) return [`${writer.bind(cost)}(${names.join(', ')})`];
  const varies = codes.map(({ known }, index) => known !== 'bool' && known !== 'count' && operands[index]?.op !== 'value');
  return names.filter((_, index) => varies[index]).map((name) => readText(name, writer));
}

/** Counts what it costs to read the value of this name, where it is a text. Nearly all are short, which is seen without a call. */
export function readText(name: string, writer: Writer): string {
  return `typeof ${name} === "string" && ${name}.length > ${SHORT} && ${writer.bind(spendOnText)}(${name})`;
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
  const slow = `Number(${writer.bind(handle)}([${value}], ${writer.bind(node)}, ${writer.bind(evaluator)}))`;
  return { source: `(Array.isArray(${value} = ${source}) ? ${value}.length : ${slow})`, known: 'count' };
}

/** A method call: the overload whose types are those of the values, where they are plain to see. */
export function emitMethod(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const { candidates, handle } = checked(node);
  if (node.op !== 'rcall' || handle === undefined) return undefined;
  const { writer, evaluator } = workshop;
  const operands = [node.args[1], ...node.args[2]];
  const codes = operands.map((operand) => workshop.emit(operand, locals));
  const { names, assigned } = emitArguments(node.args[0], operands, codes, writer);
  writer.canThrow();
  let source = `${writer.bind(handle)}([${names.join(', ')}], ${writer.bind(evaluator)}, ${writer.bind(node)})`;
  for (const { handler, receiverType, argTypes } of [...(candidates?.declarations ?? [])].reverse()) {
    const tests = [receiverType, ...argTypes].map((type, index) =>
      testOf(type?.name, names[index] ?? '', codes[index]?.known, operands[index]),
    );
    if (tests.includes(undefined)) continue;
    const condition = tests.filter((test) => test !== 'true').join(' && ');
    const call = `(${writer.place(node)}, ${writer.bind(handler)}(${names.join(', ')}))`;
    source = condition === '' ? call : `${condition} ? ${call} : ${source}`;
  }
  return { source: `(${[...assigned, source].join(', ')})`, known: 'any' };
}

/** Types that a value shows at a glance. Nothing for others: the library decides. */
function testOf(type: string | undefined, name: string, known: Known | undefined, operand: ASTNode | undefined): string | undefined {
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
      return undefined;
  }
}
