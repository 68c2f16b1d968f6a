import { CelError } from './evaluator.js';
import { type CelFunction, parseSignature } from './function.js';
import { Pattern } from './pattern/pattern.js';
import { type ASTNode, operands } from './syntax.js';

/** Calls that compile to something else than what is written, by `callKey`. */
export interface Redirects {
  /** The index of the argument that is a pattern. */
  readonly patterns: ReadonlyMap<string, number>;
  /** Calls of library functions that ours replace. */
  readonly replaced: ReadonlySet<string>;
}

export function redirectsOf(functions: readonly CelFunction[]): Redirects {
  const patterns = new Map<string, number>();
  const replaced = new Set<string>();
  for (const { signature, replaces } of functions) {
    const { receiver, name, parameters } = parseSignature(signature);
    const key = callKey(receiver !== undefined, name, parameters.length);
    const index = parameters.indexOf('pattern');
    if (index >= 0) patterns.set(key, index);
    else if (replaces === true) replaced.add(key);
  }
  return { patterns, replaced };
}

export function isRedirected({ patterns, replaced }: Redirects, method: boolean, name: string, count: number): boolean {
  const key = callKey(method, name, count);
  return patterns.has(key) || replaced.has(key);
}

/** The name under which a redirected function is registered. The underscore keeps it out of reach: `inspect` does not know it. */
export function internalName(name: string): string {
  return `${name}_`;
}

function callKey(method: boolean, name: string, count: number): string {
  return `${method ? '.' : ''}${name}/${count}`;
}

/**
 * Redirects calls in place: regular expressions to RE2 with the pattern compiled now, and functions of the library that
 * differ from the specification to ours.
 * @throws {CelError} with the offset of a pattern that is not a literal or not valid.
 */
export function rewrite(node: ASTNode, redirects: Redirects): void {
  if (node.op === 'call' || node.op === 'rcall') {
    const name = node.args[0];
    const args = node.op === 'call' ? node.args[1] : node.args[2];
    const key = callKey(node.op === 'rcall', name, args.length);
    const pattern = args[redirects.patterns.get(key) ?? -1];
    if (pattern !== undefined) replaceByValue(pattern, compileLiteral(name, pattern));
    if (pattern !== undefined || redirects.replaced.has(key)) rename(node, internalName(name));
  }
  for (const operand of operands(node)) rewrite(operand, redirects);
}

function compileLiteral(name: string, pattern: ASTNode): Pattern {
  const offset = pattern.start;
  const source = literalText(pattern);
  if (source === undefined)
    throw new CelError(`the pattern of ${name}() must be a literal string, because it is compiled once`, { offset });
  try {
    return Pattern.compile(source);
  } catch (error) {
    throw error instanceof CelError ? new CelError(error.message, { offset, cause: error }) : error;
  }
}

/** A string literal, or several joined by `+`. */
function literalText(node: ASTNode): string | undefined {
  if (node.op === 'value') return typeof node.args === 'string' ? node.args : undefined;
  if (node.op !== '+') return undefined;
  const [left, right] = [literalText(node.args[0]), literalText(node.args[1])];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** What a node is behind the library's read-only type. It is ours to change until it is checked. */
interface MutableNode {
  op: string;
  args: unknown;
  setMeta(key: string, value: unknown): unknown;
}

function rename(call: ASTNode, name: string): void {
  // The first item of a call's arguments is its name; see MutableNode for why it may be written.
  (call.args as unknown as [string])[0] = name;
}

function replaceByValue(node: ASTNode, value: unknown): void {
  // See MutableNode.
  const target = node as unknown as MutableNode;
  target.op = 'value';
  target.args = value;
  target.setMeta('check', (checker: { debugType(value: unknown): unknown }, ast: MutableNode) => checker.debugType(ast.args));
  target.setMeta('evaluate', (_evaluator: unknown, ast: MutableNode) => ast.args);
}
