import { EVENT_ID, type Event } from 'js-yaml';
import type { Position } from '../text/lines.js';
import { formatPointer } from '../text/pointer.js';
import { endOfNode, keyOfScalar, offsetOf } from './events.js';
import type { ParsedDocument } from './parse.js';

const MARK = 'bylaw:ignore';

export interface IgnoreComment {
  ruleId: string;
  /** Empty when none was given: such a comment is refused with an error. */
  reason: string;
  /** The node it governs, with everything below it; the empty pointer is the whole object. */
  pointer: string;
  position: Position;
}

/**
 * The comments `# bylaw:ignore RULE[,RULE…] reason` of a document, one entry per rule, with pointers from its root. One above the first key
 * governs the document. One that ends a line governs what starts on that line; one on a line of its own governs what starts on
 * the next line that is not a comment. What starts there is the outermost node: above `- name: app` that is the whole item. A comment without a
 * rule has an empty `ruleId`; one with nothing below it governs nothing and is left out.
 */
export function commentsOf(parsed: ParsedDocument): IgnoreComment[] {
  const { text } = parsed;
  const comments: IgnoreComment[] = [];
  const nodes = nodesOf(parsed);
  const isInScalar = scalarTest(parsed.events);
  const nextContent = contentFinder(text);
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + 1)) {
    const start = commentStart(text, at);
    if (start === undefined || isInScalar(start)) continue;
    const end = lineEnd(text, at);
    const pointer = governed(nodes, text, start, nextContent);
    if (pointer !== undefined) {
      const position = parsed.places.positionAt(start);
      for (const { ruleId, reason } of parseComment(text.slice(at + MARK.length, end))) {
        comments.push({ ruleId, reason, pointer, position });
      }
    }
    at = end;
  }
  return comments;
}

/** A key or an item, and where it starts. In the order of the text; an outer node comes before those inside it. */
interface NodeStart {
  offset: number;
  pointer: string;
}

interface Nodes {
  root: number;
  starts: NodeStart[];
}

function nodesOf(parsed: ParsedDocument): Nodes {
  const { events, root, text } = parsed;
  const starts: NodeStart[] = [];
  const rootEvent = events[root];
  collect(events, text, root, [], starts);
  return { root: (rootEvent && offsetOf(rootEvent)) ?? 0, starts };
}

function collect(events: readonly Event[], text: string, node: number, path: (string | number)[], starts: NodeStart[]): void {
  const type = events[node]?.type;
  if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return;
  let at = node + 1;
  for (let item = 0; events[at] !== undefined && events[at]?.type !== EVENT_ID.POP; item++) {
    const event = events[at];
    const value = type === EVENT_ID.MAPPING ? at + 1 : at;
    // What a merge key or an alias brings in stands elsewhere in the text.
    const token = type === EVENT_ID.SEQUENCE ? item : event?.type === EVENT_ID.SCALAR ? keyOfScalar(event, text) : undefined;
    const offset = event === undefined ? undefined : offsetOf(event);
    if (token !== undefined && offset !== undefined) {
      path.push(token);
      starts.push({ offset, pointer: formatPointer(path) });
      collect(events, text, value, path, starts);
      path.pop();
    }
    at = endOfNode(events, value);
  }
}

/** The `#` that opens the comment of which the mark is the first word. */
function commentStart(text: string, mark: number): number | undefined {
  let at = mark - 1;
  while (text[at] === ' ' || text[at] === '\t') at--;
  if (text[at] !== '#') return undefined;
  const before = text[at - 1];
  return before === undefined || /\s/.test(before) ? at : undefined;
}

/** Tells whether an offset lies inside of a scalar. The offsets must be asked in ascending order. */
function scalarTest(events: readonly Event[]): (offset: number) => boolean {
  const scalars = events.filter((event) => event.type === EVENT_ID.SCALAR).filter((event) => event.valueStart >= 0);
  let at = 0;
  return (offset) => {
    while (at < scalars.length && (scalars[at]?.valueEnd ?? 0) <= offset) at++;
    return (scalars[at]?.valueStart ?? Number.POSITIVE_INFINITY) <= offset;
  };
}

function governed(nodes: Nodes, text: string, comment: number, nextContent: (from: number) => number | undefined): string | undefined {
  if (comment < nodes.root) return '';
  const line = lineStart(text, comment);
  const before = text.slice(line, comment);
  // A dash or a bracket alone on its line starts nothing there: the item is below it.
  const ownLine = /^[\s\-?[{,]*$/.test(before);
  if (!ownLine) return startingIn(nodes.starts, line, comment) ?? nodes.starts[firstFrom(nodes.starts, line) - 1]?.pointer;
  const next = nextContent(lineEnd(text, comment) + 1);
  return next === undefined ? undefined : startingIn(nodes.starts, next, lineEnd(text, next));
}

/** The outermost node that starts in this part of the text. */
function startingIn(starts: readonly NodeStart[], from: number, to: number): string | undefined {
  const first = starts[firstFrom(starts, from)];
  return first !== undefined && first.offset < to ? first.pointer : undefined;
}

/** The index of the first node that starts at or after the offset. */
function firstFrom(starts: readonly NodeStart[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the start of the first line, at or after a line, that is neither blank nor a comment. The lines must be asked in ascending order. */
function contentFinder(text: string): (line: number) => number | undefined {
  let found = -1;
  return (from) => {
    if (found < from) {
      for (found = from; found < text.length && isBlankOrComment(text, found); ) found = lineEnd(text, found) + 1;
    }
    return found < text.length ? found : undefined;
  };
}

function isBlankOrComment(text: string, line: number): boolean {
  BLANK_OR_COMMENT.lastIndex = line;
  return BLANK_OR_COMMENT.test(text);
}

const BLANK_OR_COMMENT = /[ \t\r]*(?:#|\n|$)/y;

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** `CS-001,CS-002 why` → two rules with one reason. */
function parseComment(rest: string): { ruleId: string; reason: string }[] {
  const words = rest.trim().split(/\s+/);
  let count = 1;
  while (count < words.length && (words[count - 1]?.endsWith(',') || words[count]?.startsWith(','))) count++;
  const ids = words
    .slice(0, count)
    .join('')
    .split(',')
    .filter((id) => id !== '');
  const reason = words.slice(count).join(' ');
  return (ids.length === 0 ? [''] : ids).map((ruleId) => ({ ruleId, reason }));
}
