import { EVENT_ID, type Event } from 'js-yaml';
import { endOfNode, keyOfScalar, offsetOf } from './events.js';
import type { ParsedDocument } from './parse.js';
import { formatPointer } from './pointer.js';
import type { IgnoreComment } from './resource.js';

const MARK = 'bylaw:ignore';

/**
 * The comments `# bylaw:ignore RULE[,RULE…] reason` of a document, one entry per rule, with pointers from its root. One above the first key
 * governs the document. One that ends a line governs what starts on that line; one on a line of its own governs what starts on
 * the next line that is no comment. What starts there is the outermost node: above `- name: app` that is the whole item. A comment without a
 * rule has an empty `ruleId`; one with nothing below it governs nothing and is left out.
 */
export function commentsOf(parsed: ParsedDocument): IgnoreComment[] {
  const { text } = parsed;
  const comments: IgnoreComment[] = [];
  const nodes = nodesOf(parsed);
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + 1)) {
    const start = commentStart(text, at);
    if (start === undefined || isInScalar(parsed.events, start)) continue;
    const pointer = governed(nodes, text, start);
    if (pointer === undefined) continue;
    const position = parsed.places.positionAt(start);
    for (const { ruleId, reason } of parseComment(text.slice(at + MARK.length, lineEnd(text, at)))) {
      comments.push({ ruleId, reason, pointer, position });
    }
  }
  return comments;
}

/** A key or an item, and where it starts. In the order of the text; an outer node stands before those inside it. */
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

function isInScalar(events: readonly Event[], offset: number): boolean {
  return events.some((event) => event.type === EVENT_ID.SCALAR && event.valueStart <= offset && offset < event.valueEnd);
}

function governed(nodes: Nodes, text: string, comment: number): string | undefined {
  if (comment < nodes.root) return '';
  const line = lineStart(text, comment);
  const before = text.slice(line, comment);
  // A dash or a bracket alone on its line starts nothing there: the item is below it.
  const ownLine = /^[\s\-?[{,]*$/.test(before);
  if (!ownLine) return startingIn(nodes.starts, line, comment) ?? enclosing(nodes.starts, line);
  const next = nextContent(text, lineEnd(text, comment));
  return next === undefined ? undefined : startingIn(nodes.starts, next, lineEnd(text, next));
}

/** The outermost node that starts in this part of the text. */
function startingIn(starts: readonly NodeStart[], from: number, to: number): string | undefined {
  return starts.find(({ offset }) => offset >= from && offset < to)?.pointer;
}

/** For a line on which nothing starts, such as the end of a text of several lines: the last node that started before it. */
function enclosing(starts: readonly NodeStart[], line: number): string | undefined {
  return starts.findLast(({ offset }) => offset < line)?.pointer;
}

/** The start of the next line that is neither blank nor a comment. */
function nextContent(text: string, from: number): number | undefined {
  for (let line = from + 1; line < text.length; line = lineEnd(text, line) + 1) {
    if (!/^\s*(?:#|$)/.test(text.slice(line, lineEnd(text, line)))) return line;
  }
  return undefined;
}

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
