import { isMap, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { Refusal } from '../change.js';
import { quotingOf, type Splice, scalarSplice } from './splice.js';
import { columnOf, lineBefore, lineStart, nextLine } from './text-lines.js';
import { belowKey, hasMembers, inlineText, itemLines, memberLines, scalarText } from './write-value.js';
import type { CollectionEdit, Page } from './yaml-style.js';
import { type Collection, extentOf, isNullNode, nodeOf, type Owner, ownPair, type YamlNode } from './yaml-tree.js';

/** Changes of a mapping whose members have lines of their own. New members come last. */
export function changeBlock(page: Page, map: YAMLMap, edit: CollectionEdit): Splice[] {
  const added = [...edit.set].filter(([key]) => !ownPair(map, key));
  const changed = [...edit.set].flatMap(([key, value]) => {
    const pair = ownPair(map, key);
    return pair ? setValue(page, { map, pair }, value) : [];
  });
  const lines = added.flatMap(([key, value]) => memberLines(key, value, columnOf(page.text, startOf(map)), page.style));
  return [...changed, ...removeMembers(page, map, edit.remove, added.length > 0), ...putLines(page, contentEnd(map), lines)];
}

/** Changes of a list with dashes. New items come last. */
export function appendToBlock(page: Page, list: YAMLSeq, edit: CollectionEdit): Splice[] {
  const column = columnOf(page.text, startOf(list));
  const quoting = quotingOf(nodeOf(list.items.at(-1)));
  const lines = edit.append.flatMap((value) =>
    typeof value === 'string' ? [`${' '.repeat(column)}- ${scalarText(value, quoting)}`] : itemLines(value, column, page.style),
  );
  const changed = [...edit.set].map(([index, value]) => scalarSplice(nodeOf(list.items[Number(index)]), value));
  return [...changed, ...putLines(page, contentEnd(list), lines)];
}

/** A mapping that is written as `{}` behind its key gets lines of its own. */
export function fillEmpty(page: Page, owner: Owner, map: YAMLMap, edit: CollectionEdit): Splice[] {
  return putBelow(page, owner, map, Object.fromEntries(edit.set));
}

function setValue(page: Page, owner: Owner, value: JsonValue): Splice[] {
  const node = nodeOf(owner.pair.value);
  if (!isNullNode(node)) return [scalarSplice(node, value)];
  const written = node && extentOf(node).end > extentOf(node).start ? node : undefined;
  if (hasMembers(value)) return putBelow(page, owner, written, value);
  const { start, end } = behindColon(page, owner, written);
  return [{ start, end, text: ` ${inlineText(value)}` }];
}

/** Puts a value on the lines below its key, in the place of what is written behind it. */
function putBelow(page: Page, owner: Owner, written: YamlNode | undefined, value: JsonObject | JsonValue[]): Splice[] {
  if (written && 'anchor' in written && (written.anchor !== undefined || written.tag !== undefined))
    throw new Refusal('the current value has an anchor or a tag');
  const { start, end } = behindColon(page, owner, written);
  const lines = belowKey(value, columnOf(page.text, startOf(owner.map)), page.style);
  return [{ start, end, text: '' }, ...putLines(page, end, lines)];
}

/** From the colon of a member to the end of what is written behind it. */
function behindColon({ text }: Page, { pair }: Owner, written: YamlNode | undefined): { start: number; end: number } {
  const key = nodeOf(pair.key);
  const keyEnd = key ? extentOf(key).end : 0;
  const colon = text.indexOf(':', keyEnd);
  const end = written ? extentOf(written).end : colon + 1;
  if (colon < 0 || text.slice(keyEnd, colon).trim() !== '' || /[#\n&!]/.test(text.slice(colon, end)))
    throw new Refusal('the current text is not what the fix expects');
  return { start: colon + 1, end };
}

function removeMembers(page: Page, map: YAMLMap, keys: ReadonlySet<string>, more: boolean): Splice[] {
  const taken = new Set([...keys].map((key) => ownPair(map, key)));
  const pairs = map.items.filter((pair) => taken.has(pair));
  if (pairs.length === 0) return [];
  if (pairs.length === map.items.length && !more) return [...pairs.flatMap((pair) => removeLines(page, pair)), ...writeEmpty(page, map)];
  const first = pairs.find((pair) => !beginsLine(page, pair));
  if (!first) return pairs.flatMap((pair) => removeLines(page, pair));
  const next = map.items.find((pair) => !taken.has(pair));
  const start = keyStart(first);
  const end = next ? keyStart(next) : start;
  // The next member moves up behind the dash, past what is in between.
  if (!next || page.text.slice(contentEndOf(first), end).includes('#')) throw new Refusal('the member cannot be removed on its own');
  return [{ start, end, text: '' }, ...pairs.filter((pair) => keyStart(pair) > end).flatMap((pair) => removeLines(page, pair))];
}

function removeLines(page: Page, pair: Pair): Splice[] {
  const { text } = page;
  if (!beginsLine(page, pair)) throw new Refusal('the member cannot be removed on its own');
  return [{ start: lineStart(text, keyStart(pair)), end: nextLine(text, contentEndOf(pair)), text: '' }];
}

/** A mapping that has lost all its members is still a mapping. */
function writeEmpty(page: Page, map: YAMLMap): Splice[] {
  const owner = page.owner(map);
  if (!owner || map.anchor !== undefined || map.tag !== undefined) throw new Refusal('the member cannot be removed on its own');
  const { start } = behindColon(page, owner, undefined);
  return [{ start, end: start, text: ' {}' }];
}

function beginsLine({ text }: Page, pair: Pair): boolean {
  return lineBefore(text, keyStart(pair)).trim() === '';
}

/** Puts lines below the line of an offset. */
function putLines({ text, style }: Page, offset: number, lines: readonly string[]): Splice[] {
  if (lines.length === 0) return [];
  const at = nextLine(text, offset);
  const endsOpen = at > 0 && text[at - 1] !== '\n';
  const joined = lines.join(style.newline);
  return [{ start: at, end: at, text: endsOpen ? style.newline + joined : joined + style.newline }];
}

/** Where the last part of a node ends: nodes of the library go on to the comments that follow. */
function contentEnd(node: YamlNode): number {
  if (!isBlockCollection(node)) return extentOf(node).end;
  if (isMap(node)) {
    const last = node.items.at(-1);
    return last ? contentEndOf(last) : extentOf(node).end;
  }
  const last = nodeOf(node.items.at(-1));
  return last ? contentEnd(last) : extentOf(node).end;
}

function contentEndOf(pair: Pair): number {
  const key = nodeOf(pair.key);
  const value = nodeOf(pair.value);
  const end = key ? extentOf(key).end : 0;
  return value && !isNullNode(value) ? contentEnd(value) : end;
}

function isBlockCollection(node: YamlNode): node is Collection {
  return 'items' in node && node.flow !== true;
}

function keyStart(pair: Pair): number {
  return startOf(nodeOf(pair.key));
}

function startOf(node: YamlNode | undefined): number {
  return node ? extentOf(node).start : 0;
}
