import { isMap, isScalar, isSeq } from 'yaml';
import { columnOf, lineBefore } from './text-lines.js';
import type { Style } from './yaml-style.js';
import { type Collection, extentOf, nodeOf, type YamlNode, type YamlTree } from './yaml-tree.js';

/** How a document is written, as far as it shows. */
export function styleOf({ text, root }: YamlTree): Style {
  const seen: { step?: number; listStep?: number } = {};
  lookAt(root, text, seen);
  const firstBreak = text.indexOf('\n');
  return {
    newline: firstBreak > 0 && text[firstBreak - 1] === '\r' ? '\r\n' : '\n',
    step: seen.step ?? 2,
    listStep: seen.listStep ?? 2,
    json: jsonStyle(root, text),
  };
}

function jsonStyle(root: YamlNode, text: string): Style['json'] {
  const key = isMap(root) && root.flow === true ? nodeOf(root.items[0]?.key) : undefined;
  if (!key || !isQuoted(key)) return undefined;
  const before = lineBefore(text, extentOf(key).start);
  return { compact: /^:\S/.test(text.slice(extentOf(key).end)), step: /^[ \t]+$/.test(before) ? before : undefined };
}

/** Looks for the first mapping and the first list that are below a key. */
function lookAt(node: YamlNode | undefined, text: string, seen: { step?: number; listStep?: number }): void {
  if (isSeq(node)) for (const item of node.items) lookAt(nodeOf(item), text, seen);
  if (!isMap(node) || node.flow === true) return;
  const own = columnOf(text, extentOf(node).start);
  for (const pair of node.items) {
    if (seen.step !== undefined && seen.listStep !== undefined) return;
    const value = nodeOf(pair.value);
    if (isBlock(value, isMap)) seen.step ??= columnOf(text, extentOf(value).start) - own;
    if (isBlock(value, isSeq)) seen.listStep ??= columnOf(text, extentOf(value).start) - own;
    lookAt(value, text, seen);
  }
}

function isBlock<T extends Collection>(node: YamlNode | undefined, isKind: (node: unknown) => node is T): node is T {
  return isKind(node) && node.flow !== true;
}

export function isQuoted(node: unknown): boolean {
  return isScalar(node) && node.type === 'QUOTE_DOUBLE';
}
