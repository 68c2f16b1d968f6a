import type { ASTNode } from '@marcbachmann/cel-js';
import { spendOnComparison, spendOnMembership } from '../budget/costs.js';
import { quoted } from '../quoted.js';
import { bothNumbers, contains, equalScalars, equalTexts, joined, joinedTexts, truth } from '../runtime/operands.js';
import { STAND_INS } from '../runtime/stand-ins.js';
import { emitSize, readText } from './calls.js';
import { checked } from './library.js';
import type { Block, Code, Locals, Workshop, Writer } from './writer.js';

/** Operators. Values of a kind that the code does not know go to the library's own handler of the node. */
export function emitOperator(node: ASTNode, locals: Locals, workshop: Workshop): Code | undefined {
  switch (node.op) {
    case '==':
    case '!=':
      return emitEquality(node, node.args, locals, workshop);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return emitComparison(node, node.args, locals, workshop);
    case '+':
      return emitSum(node, node.args, locals, workshop);
    case 'in':
      return emitMembership(node, node.args, locals, workshop);
    case '&&':
    case '||':
      return emitLogical(node, node.args, locals, workshop);
    case '?:':
      return emitTernary(node.args, locals, workshop);
    case '!_':
      return { source: `!${asBool(workshop.emit(node.args, locals), `'!' needs a bool`, node, workshop.writer)}`, known: 'bool' };
    case '-_':
      return emitHandled(node, [node.args], locals, workshop);
    case '-':
    case '*':
    case '/':
    case '%':
    case '[?]':
      return emitHandled(node, node.args, locals, workshop);
    case '[]':
      return emitIndex(node, node.args, locals, workshop) ?? emitHandled(node, node.args, locals, workshop);
    default:
      return undefined;
  }
}

/** An item of a list at a place that is written down. */
function emitIndex(node: ASTNode, [list, index]: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code | undefined {
  if (index.op !== 'value' || typeof index.args !== 'bigint' || index.args < 0n || index.args > MAX_INDEX) return undefined;
  const { writer } = workshop;
  const [first, again] = named(workshop.emit(list, locals), writer);
  const place = `${again}[${index.args}]`;
  const otherwise = handled(node, [again, writer.constant(index.args)], workshop).source;
  return { source: `(Array.isArray(${first}) && ${place} !== undefined ? ${place} : ${otherwise})`, known: 'any' };
}

const MAX_INDEX = 1_000_000n;

/** Left to the library, which looks for the overload. */
function emitHandled(node: ASTNode, operands: readonly ASTNode[], locals: Locals, workshop: Workshop): Code {
  return handled(
    node,
    operands.map((operand) => workshop.emit(operand, locals).source),
    workshop,
  );
}

function handled(node: ASTNode, operands: readonly string[], workshop: Workshop): Code {
  workshop.writer.canThrow();
  return handledSafely(node, operands, workshop);
}

/** The same where the handler never fails. */
function handledSafely(node: ASTNode, operands: readonly string[], { writer, evaluator }: Workshop): Code {
  const { handle } = checked(node);
  if (handle === undefined) throw new Error(`the library has no handler for ${node.op}`);
  const standIn = standInOf(node);
  const source = writer.library(
    (bind) => `${bind(handle)}(${[...operands, bind(node), bind(evaluator)].join(', ')})`,
    standIn && (() => `${writer.helper(standIn)}(${operands.join(', ')})`),
  );
  return { source, known: 'any' };
}

/** Items of one type are not compared with values of another: that only the library knows. */
function standInOf(node: ASTNode): (typeof STAND_INS)[string] {
  const type = node.op === 'in' ? checked(node.args[1]).checkedType : undefined;
  return type?.kind === 'list' && type.type !== 'list' && type.type !== 'list<dyn>' ? undefined : STAND_INS[node.op];
}

/** A value under a name, so that it can be read several times: the source that names it, and the name. */
function named({ source }: Code, writer: Writer): [first: string, again: string] {
  const name = writer.temporary();
  return [`(${name} = ${source})`, name];
}

/** No two values fail to compare: what is of different kinds is not equal. */
function emitEquality(node: ASTNode, [leftNode, rightNode]: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const equal = node.op === '==' ? '===' : '!==';
  const count = emitCount([leftNode, rightNode], equal, locals, workshop);
  if (count !== undefined) return count;
  const { writer } = workshop;
  const literal = [leftNode, rightNode].find((operand) => operand.op === 'value' && ['string', 'boolean'].includes(typeof operand.args));
  const [left, right] = [workshop.emit(leftNode, locals), workshop.emit(rightNode, locals)];
  const bothTexts = left.known === 'string' && right.known === 'string';
  if (bothTexts && literal === undefined) {
    const not = node.op === '==' ? '' : '!';
    return { source: `${not}${writer.helper(equalTexts)}(${left.source}, ${right.source})`, known: 'bool' };
  }
  if (bothTexts || (left.known === 'bool' && right.known === 'bool') || [left.source, right.source].includes('null'))
    return { source: `(${left.source} ${equal} ${right.source})`, known: 'bool' };
  if (literal !== undefined) {
    const other = literal === leftNode ? right : left;
    const text = (literal === leftNode ? left : right).source;
    const [first, again] = named(other, writer);
    const compared = handledSafely(node, literal === leftNode ? [text, again] : [again, text], workshop).source;
    return { source: `(typeof ${first} === "object" && ${again} !== null ? ${compared} : ${again} ${equal} ${text})`, known: 'bool' };
  }
  const [a, aAgain] = named(left, writer);
  const [b, bAgain] = named(right, writer);
  const [result, resultAgain] = named({ source: `${writer.helper(equalScalars)}(${a}, ${b})`, known: 'any' }, writer);
  const wanted = node.op === '==' ? resultAgain : `!${resultAgain}`;
  const otherwise = handledSafely(node, [aAgain, bAgain], workshop).source;
  const paid = `(${writer.helper(spendOnComparison)}(${aAgain}, ${bAgain}), ${otherwise})`;
  return { source: `(${result} === undefined ? ${paid} : ${wanted})`, known: 'bool' };
}

/** `size(x) > 0`: numbers of the engine compare faster than the BigInts that ints are. */
function emitCount([left, right]: readonly [ASTNode, ASTNode], operator: string, locals: Locals, workshop: Workshop): Code | undefined {
  if (right.op !== 'value' || typeof right.args !== 'bigint' || !Number.isSafeInteger(Number(right.args))) return undefined;
  const size = emitSize(left, locals, workshop);
  return size && { source: `(${size.source} ${operator} ${Number(right.args)})`, known: 'bool' };
}

function emitComparison(node: ASTNode, operands: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const count = emitCount(operands, node.op, locals, workshop);
  if (count !== undefined) return count;
  const { writer } = workshop;
  const [a, aAgain] = named(workshop.emit(operands[0], locals), writer);
  const [b, bAgain] = named(workshop.emit(operands[1], locals), writer);
  const numbers = `${writer.helper(bothNumbers)}(${a}, ${b})`;
  const otherwise = `(${[readText(aAgain, writer), readText(bAgain, writer), handled(node, [aAgain, bAgain], workshop).source].join(', ')})`;
  return { source: `(${numbers} ? ${aAgain} ${node.op} ${bAgain} : ${otherwise})`, known: 'bool' };
}

function emitSum(node: ASTNode, operands: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const [left, right] = [workshop.emit(operands[0], locals), workshop.emit(operands[1], locals)];
  if (left.known === 'string' && right.known === 'string')
    return { source: `${writer.helper(joinedTexts)}(${left.source}, ${right.source})`, known: 'string' };
  const [a, aAgain] = named(left, writer);
  const [b, bAgain] = named(right, writer);
  const [sum, sumAgain] = named({ source: `${writer.helper(joined)}(${a}, ${b})`, known: 'any' }, writer);
  return { source: `(${sum} === undefined ? ${handled(node, [aAgain, bAgain], workshop).source} : ${sumAgain})`, known: 'any' };
}

/** As many texts are compared one by one; a longer list is asked. */
const FEW = 8;

function emitMembership(node: ASTNode, [item, list]: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const code = workshop.emit(item, locals);
  const texts =
    list.op === 'list' ? list.args.map((one) => (one.op === 'value' && typeof one.args === 'string' ? one.args : undefined)) : [];
  const constants = texts.filter((text) => text !== undefined);
  const [a, aAgain] = named(code, writer);
  if (constants.length > 0 && constants.length === texts.length) {
    const set = constants.length <= FEW ? undefined : writer.constant(new Set(constants));
    const found = (name: string) =>
      set ? `${set}.has(${name})` : `(${constants.map((text) => `${name} === ${quoted(text)}`).join(' || ')})`;
    if (code.known === 'string') return { source: `(${a}, ${found(aAgain)})`, known: 'bool' };
    const fallback = handled(node, [aAgain, workshop.emit(list, locals).source], workshop).source;
    return { source: `(typeof ${a} === "string" ? ${found(aAgain)} : ${fallback})`, known: 'bool' };
  }
  const [b, bAgain] = named(workshop.emit(list, locals), writer);
  const [result, resultAgain] = named({ source: `${writer.helper(contains)}(${a}, ${b})`, known: 'any' }, writer);
  const otherwise = `(${writer.helper(spendOnMembership)}(${aAgain}, ${bAgain}), ${handled(node, [aAgain, bAgain], workshop).source})`;
  return { source: `(${result} === undefined ? ${otherwise} : ${resultAgain})`, known: 'bool' };
}

/** Either side decides alone, even when the other fails: `false && error` and `error && false` are false. */
function emitLogical(node: ASTNode, [leftNode, rightNode]: [ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const message = `'${node.op}' needs a bool on both sides`;
  const left = writer.block(() => workshop.emit(leftNode, locals));
  const right = writer.block(() => workshop.emit(rightNode, locals));
  if (!left.throws && left.code.known === 'bool' && right.lines.length === 0) {
    writer.lines(left.lines);
    return { source: `(${left.code.source} ${node.op} ${asBool(right.code, message, rightNode, writer)})`, known: 'bool' };
  }
  const [first, result] = [writer.temporary(), writer.temporary()];
  const failure = left.throws ? writer.temporary() : undefined;
  const statements = [...left.lines, `${first} = ${left.code.source};`];
  if (failure === undefined) writer.lines(statements);
  else {
    writer.line(`${first} = ${failure} = undefined;`);
    writer.attempt(statements, failure);
  }
  const deciding = node.op === '||';
  writer.line(`if (${first} === ${deciding}) ${result} = ${deciding}; else {`);
  writer.lines(right.lines);
  writer.line(`${result} = ${right.code.source};`);
  const checks = [
    failure === undefined ? '' : `if (${failure} !== undefined) throw ${failure};`,
    left.code.known === 'bool' ? '' : `${asBool({ source: first, known: 'any' }, message, leftNode, writer)};`,
    right.code.known === 'bool' ? '' : `${asBool({ source: result, known: 'any' }, message, rightNode, writer)};`,
  ].filter((check) => check !== '');
  if (checks.length > 0) writer.line(`if (${result} !== ${deciding}) { ${checks.join(' ')} }`);
  writer.line('}');
  return { source: result, known: 'bool' };
}

/** The source, which throws when the value is neither true nor false. */
export function asBool({ source, known }: Code, message: string, node: ASTNode, writer: Writer): string {
  if (known === 'bool') return source;
  writer.canThrow();
  return `${writer.helper(truth)}(${source}, ${quoted(message)}, ${writer.node(node)})`;
}

function emitTernary([conditionNode, then, otherwise]: [ASTNode, ASTNode, ASTNode], locals: Locals, workshop: Workshop): Code {
  const { writer } = workshop;
  const condition = asBool(workshop.emit(conditionNode, locals), `the condition before '?' must be a bool`, conditionNode, writer);
  const [a, b] = [writer.block(() => workshop.emit(then, locals)), writer.block(() => workshop.emit(otherwise, locals))];
  const known = a.code.known === b.code.known ? a.code.known : 'any';
  if (a.lines.length === 0 && b.lines.length === 0) return { source: `(${condition} ? ${a.code.source} : ${b.code.source})`, known };
  const result = writer.temporary();
  const branch = ({ lines, code }: Block) => [...lines, `${result} = ${code.source};`].join('\n');
  writer.line(`if (${condition}) {\n${branch(a)}\n} else {\n${branch(b)}\n}`);
  return { source: result, known };
}
