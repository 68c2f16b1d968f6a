import { type Document, isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { BylawError, type CoreErrorCode, type Location } from './errors.js';

/** A YAML file of ours (a rule, a pack, a baseline, a configuration), with the place of every node. */
export interface YamlFile {
  value: unknown;
  /** The place of the deepest existing ancestor of a path. A key's place for a mapping entry. */
  locate(path: readonly (string | number)[]): Location;
  /** The place of an offset into the text of the scalar at a path, where that scalar is written on one line or as a block. */
  locateOffset(path: readonly (string | number)[], offset: number): Location;
}

/**
 * Reads one YAML document strictly: duplicate keys and syntax errors are refused.
 * @throws {BylawError} with the given code and the place of the first error.
 */
export function readYamlFile(file: string, text: string, code: CoreErrorCode): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true, maxAliasCount: 1000 } as never);
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const first = document.errors[0];
  if (first) throw new BylawError(code, `The file is not valid YAML: ${firstLine(first.message)}`, { location: at(first.pos[0]) });
  return {
    value: toValue(document, code, file),
    locate: (path) => at(offsetOf(document, path)),
    locateOffset: (path, offset) => at(scalarOffset(document, path, offset, text)),
  };
}

function toValue(document: Document, code: CoreErrorCode, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (cause) {
    throw new BylawError(code, 'The file expands to too many nodes.', { location: { file, line: 1, column: 1 }, cause });
  }
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else {
      node = isNode(node) && 'get' in node ? (node as { get(key: unknown, keep: true): unknown }).get(step, true) : undefined;
      const start = startOf(node);
      if (start === undefined) return offset;
      offset = start;
    }
  }
  return offset;
}

function scalarOffset(document: Document, path: readonly (string | number)[], offset: number, text: string): number {
  const node = document.getIn(path, true);
  const start = startOf(node);
  if (!isScalar(node) || start === undefined) return offsetOf(document, path);
  if (node.type === 'PLAIN') return start + offset;
  if (node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE') return start + 1 + offset;
  // A block scalar: walk its lines, each indented by the same amount.
  const body = text.indexOf('\n', start) + 1;
  const indent = /^ */.exec(text.slice(body))?.[0].length ?? 0;
  return Math.min(body + indent + offset, text.length - 1);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? ((node as Node).range?.[0] ?? undefined) : undefined;
}

function firstLine(message: string): string {
  if (message.includes('call stack')) return 'it nests too deep'; // the parser reports its own overflow as an error of the text
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
