import { type Document, isAlias, isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { BylawError, type CoreErrorCode, type ErrorKind, type Location } from './errors.js';

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
 * @param options.anchors `refuse`: a file in which nothing may stand for something else
 * @throws {BylawError} with the given code and the place of the first error.
 */
export function readYamlFile(file: string, text: string, code: CoreErrorCode | ErrorKind, options: { anchors?: 'refuse' } = {}): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true, maxAliasCount: 1000 } as never);
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const first = document.errors[0];
  if (first) throw new BylawError(code, `The file is not valid YAML: ${firstLine(first.message)}`, { location: at(first.pos[0]) });
  const anchor = options.anchors === 'refuse' ? firstAnchor(document) : undefined;
  if (anchor) throw new BylawError(code, 'Anchors and aliases are not allowed here: write the value out.', { location: at(anchor) });
  return {
    value: toValue(document, code, file),
    locate: (path) => at(offsetOf(document, path)),
    locateOffset: (path, offset) => at(scalarOffset(document, path, offset, text)),
  };
}

function toValue(document: Document, code: CoreErrorCode | ErrorKind, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 });
  } catch (cause) {
    throw new BylawError(code, 'The file expands to too many nodes.', { location: { file, line: 1, column: 1 }, cause });
  }
}

/** Where the first anchor or alias stands. */
function firstAnchor(document: Document): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node) && !('anchor' in node && node.anchor !== undefined)) return undefined;
      offset = startOf(node) ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
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
  if (message.includes('call stack')) return 'it is nested too deeply'; // the parser reports its own overflow as an error of the text
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
