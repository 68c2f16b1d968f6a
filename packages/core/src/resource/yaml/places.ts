import { type AliasEvent, EVENT_ID, type Event } from 'js-yaml';
import type { InputError } from '../../errors.js';
import type { LineIndex, Position } from '../text/lines.js';
import { unescapeToken } from '../text/pointer.js';
import { endsOfNodes, keyOfScalar, offsetOf } from './events.js';
import { offsetOfLine } from './line-of-scalar.js';

/** Where the parts of one document are in its text. */
export interface Places {
  /**
   * The place of the deepest existing ancestor: the key of a mapping entry, the first character of a list item. With `line`, the place of
   * that line of the text at the pointer, see `Resource.position`. Never throws.
   */
  position(pointer: string, line?: number): Position;
  /** The place of an offset in the text. */
  positionAt(offset: number): Position;
}

/** A document that came as a value, not as text, has no places. */
export const NO_PLACES: Places = { position: () => ({ line: 0, column: 0 }), positionAt: () => ({ line: 0, column: 0 }) };

/**
 * Nothing is computed until a position is requested, because most documents pass and never need one; then only the mappings and lists
 * on the way to it are indexed, once.
 */
export function placesOf(events: readonly Event[], text: string, root: number, lines: LineIndex): Places {
  const index: NodeIndex = { events, text, children: new Map(), ends: undefined, located: new Map() };
  return {
    position: (pointer, line) => {
      const { node, offset } = locate(index, root, pointer);
      const inText = line === undefined || node === undefined ? undefined : offsetOfLine(events[node], text, line);
      return lines.positionAt(inText ?? offset);
    },
    positionAt: lines.positionAt,
  };
}

interface NodeIndex {
  readonly events: readonly Event[];
  readonly text: string;
  /** The children of each mapping or list that was looked into, by the index of the event that starts it. */
  readonly children: Map<number, Children>;
  /** The index after each node that starts at an index; made when the first child is searched for. */
  ends: readonly number[] | undefined;
  /** The pointers that were asked for, with those above them: the findings on one object share most of their way. */
  readonly located: Map<string, Located>;
}

/** What a pointer leads to: the node, where there is one, and the place of the deepest part that exists. */
interface Located {
  node: number | undefined;
  offset: number;
}

interface Children {
  byToken: Map<string, Child>;
  /** Values of `<<`, the last first: their entries are children too, unless an entry of the mapping itself has the name. */
  merged: number[];
}

interface Child {
  /** The event whose place is the child's: the key, or the item itself. */
  place: number;
  value: number;
}

function locate(index: NodeIndex, root: number, pointer: string): Located {
  const { located } = index;
  let end = pointer.length;
  let here = pointer === '' ? rootOf(index, root) : located.get(pointer);
  // From the far end: most of the way to a finding was asked for by the finding before it.
  while (here === undefined && end > 0) {
    end = pointer.lastIndexOf('/', end - 1);
    if (end > 0) here = located.get(pointer.slice(0, end));
  }
  if (here === undefined) {
    here = rootOf(index, root);
    // A pointer that does not start with `/` is read as if it did.
    end = pointer.startsWith('/') ? 0 : -1;
  }
  while (here.node !== undefined && end < pointer.length) {
    const slash = pointer.indexOf('/', end + 1);
    const next = slash < 0 ? pointer.length : slash;
    here = stepInto(index, here, here.node, pointer.slice(end + 1, next));
    located.set(pointer.slice(0, next), here);
    end = next;
  }
  return here;
}

function rootOf(index: NodeIndex, root: number): Located {
  return { node: root, offset: startOf(index, root) ?? 0 };
}

function stepInto(index: NodeIndex, from: Located, node: number, token: string): Located {
  const child = childOf(index, node, unescapeToken(token), 0);
  return child === undefined
    ? { node: undefined, offset: from.offset }
    : { node: child.value, offset: startOf(index, child.place) ?? from.offset };
}

function childOf(index: NodeIndex, node: number, token: string, hops: number): Child | undefined {
  const event = index.events[node];
  // Anchors inside anchors may chain, but never further than the limit on depth.
  if (event === undefined || hops > 100) return undefined;
  if (event.type === EVENT_ID.ALIAS) {
    const target = anchoredNode(index, event, node);
    return target === undefined ? undefined : childOf(index, target, token, hops + 1);
  }
  if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) return undefined;
  const children = childrenOf(index, node);
  const own = children.byToken.get(token);
  if (own !== undefined) return own;
  for (const source of children.merged) {
    const inherited = mergedChild(index, source, token, hops + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function mergedChild(index: NodeIndex, source: number, token: string, hops: number): Child | undefined {
  if (index.events[source]?.type !== EVENT_ID.SEQUENCE) return childOf(index, source, token, hops);
  for (const { value } of childrenOf(index, source).byToken.values()) {
    const child = childOf(index, value, token, hops);
    if (child !== undefined) return child;
  }
  return undefined;
}

function childrenOf(index: NodeIndex, node: number): Children {
  let children = index.children.get(node);
  if (children === undefined) {
    children = index.events[node]?.type === EVENT_ID.SEQUENCE ? itemsOf(index, node) : entriesOf(index, node);
    index.children.set(node, children);
  }
  return children;
}

function itemsOf(index: NodeIndex, node: number): Children {
  const byToken = new Map<string, Child>();
  let at = node + 1;
  for (let item = 0; isOpen(index, at); item++) {
    byToken.set(String(item), { place: at, value: at });
    at = endOf(index, at);
  }
  return { byToken, merged: [] };
}

function entriesOf(index: NodeIndex, node: number): Children {
  const byToken = new Map<string, Child>();
  const merged: number[] = [];
  let at = node + 1;
  while (isOpen(index, at)) {
    const key = keyAt(index, at);
    if (key === undefined) merged.unshift(at + 1);
    else byToken.set(key, { place: at, value: at + 1 });
    at = endOf(index, at + 1);
  }
  return { byToken, merged };
}

function endOf(index: NodeIndex, at: number): number {
  index.ends ??= endsOfNodes(index.events);
  return index.ends[at] ?? index.events.length;
}

function keyAt(index: NodeIndex, at: number): string | undefined {
  const event = index.events[at];
  const node = event?.type === EVENT_ID.ALIAS ? anchoredNode(index, event, at) : at;
  const scalar = node === undefined ? undefined : index.events[node];
  return scalar?.type === EVENT_ID.SCALAR ? keyOfScalar(scalar, index.text) : undefined;
}

/** The node that an alias names: the nearest one above with that anchor. */
function anchoredNode(index: NodeIndex, alias: AliasEvent, from: number): number | undefined {
  const name = index.text.slice(alias.anchorStart, alias.anchorEnd);
  for (let at = from - 1; at >= 0; at--) {
    const event = index.events[at];
    if (event === undefined || event.type === EVENT_ID.ALIAS || !('anchorStart' in event) || event.anchorStart < 0) continue;
    if (index.text.slice(event.anchorStart, event.anchorEnd) === name) return at;
  }
  return undefined;
}

function isOpen(index: NodeIndex, at: number): boolean {
  const type = index.events[at]?.type;
  return type !== undefined && type !== EVENT_ID.POP;
}

function startOf(index: NodeIndex, at: number): number | undefined {
  const event = index.events[at];
  return event === undefined ? undefined : offsetOf(event);
}

/** A rendered text does not have lines that a user could open: all of it is placed at the start of the file that it was made from. */
const START = { line: 1, column: 1 };

export const RENDERED_PLACES: Places = { position: () => START, positionAt: () => START };

/** An error about a part of a rendered text. */
export function placedAtStart(error: InputError, rendered: string): InputError {
  return { ...error, location: error.location && { file: error.location.file, ...START, rendered_from: rendered } };
}
