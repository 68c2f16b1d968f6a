import type { ASTNode } from '@marcbachmann/cel-js';
import { fault } from '../budget/budget.js';
import { quoted } from '../quoted.js';
import { itemAt } from '../runtime/operands.js';
import { member, optionalOf, present } from '../standard/values.js';
import { checked, isOptionalNode } from './library.js';
import type { Code, Locals, Workshop } from './writer.js';

/** A field or index of a value; `key` is what it selects: a literal, or an expression that gives a text. */
interface Selection {
  readonly base: ASTNode;
  readonly key: string | bigint | ASTNode;
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
      if (index.op !== 'value')
        return optional && checked(index).checkedType?.type === 'string' ? { base, key: index, optional } : undefined;
      if (typeof index.args === 'string') return { base, key: index.args, optional };
      return optional && typeof index.args === 'bigint' ? { base, key: index.args, optional } : undefined;
    }
    default:
      return undefined;
  }
}

export function emitSelection(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  const selection = selectionOf(node);
  if (selection === undefined) return undefined;
  const { writer } = workshop;
  if (selection.optional) return { source: `${writer.helper(optionalOf)}(${emitValue(node, locals, workshop).source})`, known: 'any' };
  const { base, key } = selection;
  const from = writer.temporary();
  const found = writer.temporary();
  // Only optional selections have keys that are not texts.
  const name = String(key);
  writer.canThrow();
  const get = `${writer.getter(name)}(${from} = ${workshop.emit(base, locals).source})`;
  const { handle } = checked(node);
  const missing = writer.library((bind) =>
    handle === undefined
      ? `${bind(noSuchKey)}(${quoted(name)}, ${bind(node)})`
      : `${bind(handle)}(${from}, ${quoted(name)}, ${bind(node)}, ${bind(workshop.evaluator)})`,
  );
  return { source: `((${found} = ${get}) === undefined ? ${missing} : ${found})`, known: 'any' };
}

function noSuchKey(key: string, node: ASTNode): never {
  throw fault(`No such key: ${key}`, node);
}

/** The value itself, of an optional the value inside, undefined where it is absent: a chain of selections makes no optionals on its way. */
export function emitValue(node: ASTNode, locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const selection = selectionOf(node);
  if (selection?.optional) {
    const { key } = selection;
    const from = emitValue(selection.base, locals, workshop).source;
    if (typeof key === 'string') return { source: `${writer.getter(key)}(${from})`, known: 'any' };
    if (typeof key === 'bigint') return { source: `${writer.helper(itemAt)}(${from}, ${Number(key)})`, known: 'any' };
    return { source: `${writer.helper(member)}(${from}, ${workshop.emit(key, locals).source})`, known: 'any' };
  }
  const alternatives = alternativesOf(node);
  if (alternatives !== undefined) {
    const [first, second] = alternatives;
    return emitOtherwise(first, () => emitValue(second, locals, workshop), locals, workshop);
  }
  const code = workshop.emit(node, locals);
  const kind = checked(node).checkedType?.kind;
  if (code.known !== 'any' || kind === 'list' || kind === 'map' || isCallerVariable(node, locals)) return code;
  return { source: `${writer.helper(present)}(${code.source})`, known: 'any' };
}

/** `a.or(b)`, both optionals. */
function alternativesOf(node: ASTNode): readonly [ASTNode, ASTNode] | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, args] = node.args;
  const [other] = args;
  if (name !== 'or' || args.length !== 1 || other === undefined) return undefined;
  return isOptionalNode(receiver) && isOptionalNode(other) ? [receiver, other] : undefined;
}

/** What a caller gives is JSON: no optional. */
function isCallerVariable(node: ASTNode, locals: Locals): boolean {
  return node.op === 'id' && checked(node).meta.alternate === undefined && !locals.has(node.args);
}

/** `optional.or(x)`, `optional.orValue(x)` and `optional.hasValue()`. */
export function emitOptional(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  if (node.op !== 'rcall' || !isOptionalNode(node.args[1])) return undefined;
  const { writer } = workshop;
  const [name, receiver, args] = node.args;
  const [otherwise] = args;
  if (alternativesOf(node)) return { source: `${writer.helper(optionalOf)}(${emitValue(node, locals, workshop).source})`, known: 'any' };
  if (name === 'hasValue' && args.length === 0)
    return { source: `(${emitValue(receiver, locals, workshop).source} !== undefined)`, known: 'bool' };
  if (name !== 'orValue' || otherwise === undefined || args.length !== 1) return undefined;
  return emitOtherwise(receiver, () => workshop.emit(otherwise, locals), locals, workshop);
}

/** What is inside an optional, or what `other` writes where it is absent. */
function emitOtherwise(optional: ASTNode, other: () => Code, locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const found = writer.temporary();
  const value = emitValue(optional, locals, workshop).source;
  const { lines, code } = writer.block(other);
  if (lines.length === 0) return { source: `((${found} = ${value}) === undefined ? ${code.source} : ${found})`, known: 'any' };
  writer.line(`if ((${found} = ${value}) === undefined) {`);
  writer.lines(lines);
  writer.line(`${found} = ${code.source}; }`);
  return { source: found, known: 'any' };
}
