import type { YAMLMap, YAMLSeq } from 'yaml';
import type { JsonValue } from '../../resource/text/json.js';
import { Refusal } from '../change.js';
import { type FlowPart, flowParts, flowStyleOf } from './flow-style-of.js';
import { quotingOf, type Splice, scalarSplice } from './splice.js';
import { lineEnd } from './text-lines.js';
import { flowMember, flowText, scalarText } from './write-value.js';
import type { CollectionEdit, FlowStyle, Page } from './yaml-style.js';
import { type Collection, extentOf, isNullNode, nodeOf, ownPair } from './yaml-tree.js';

/** Changes of a mapping between braces, JSON included. New members come last. */
export function changeFlow(page: Page, map: YAMLMap, edit: CollectionEdit): Splice[] {
  const style = flowStyleOf(map, page, page.style);
  const parts = flowParts(map);
  const partOf = (key: string) => parts.find((part) => part.key === ownPair(map, key)?.key);
  const removed = [...edit.remove].map(partOf);
  const kept = parts.filter((part) => !removed.includes(part));
  const added = [...edit.set].filter(([key]) => !partOf(key)).map(([key, value]) => flowMember(key, value, style));
  const changed = [...edit.set].flatMap(([key, value]) => {
    const part = partOf(key);
    return part ? [setValue(page, part, value, style)] : [];
  });
  const last = parts.at(-1);
  if (last && added.length > 0 && !kept.includes(last))
    return [...changed, ...removeParts(page, parts, kept, added.join(partBreak(style)))];
  return [...changed, ...addParts(page, map, last, added, style), ...removeParts(page, parts, kept)];
}

/** Changes of a list between brackets. New items come last. */
export function appendToFlow(page: Page, list: YAMLSeq, edit: CollectionEdit): Splice[] {
  const style = flowStyleOf(list, page, page.style);
  const last = flowParts(list).at(-1);
  const quoting = last ? quotingOf(last.value) : style.quoted ? 'double' : 'plain';
  const added = edit.append.map((value) => (typeof value === 'string' ? scalarText(value, quoting) : flowText(value, style)));
  const changed = [...edit.set].map(([index, value]) => scalarSplice(nodeOf(list.items[Number(index)]), value));
  return [...changed, ...addParts(page, list, last, added, { ...style, padded: false })];
}

function setValue({ text }: Page, { key, value: node }: FlowPart, value: JsonValue, style: FlowStyle): Splice {
  if (!isNullNode(node)) return scalarSplice(node, value);
  if (node && extentOf(node).end > extentOf(node).start) return { ...extentOf(node), text: flowText(value, style) };
  const keyEnd = key ? extentOf(key).end : 0;
  const colon = /^\s*:/.exec(text.slice(keyEnd));
  const start = keyEnd + (colon?.[0].length ?? 0);
  return { start, end: start, text: `${colon ? ' ' : style.colon}${flowText(value, style)}` };
}

function addParts(
  { text }: Page,
  collection: Collection,
  last: FlowPart | undefined,
  added: readonly string[],
  style: FlowStyle,
): Splice[] {
  if (added.length === 0) return [];
  const { start, end } = extentOf(collection);
  if (!last) {
    const inside = text.slice(start + 1, end - 1);
    if (inside.trim() !== '') throw new Refusal('the current text is not what the fix expects');
    const { ownLines: own } = style;
    const [open, close] = own
      ? [own.newline + own.prefix, own.newline + own.prefix.slice(own.step.length)]
      : style.padded
        ? [' ', ' ']
        : ['', ''];
    return [{ start: start + 1, end: end - 1, text: open + added.join(partBreak(style)) + close }];
  }
  const { ownLines } = style;
  if (!ownLines) return [{ start: last.end, end: last.end, text: style.comma + added.join(style.comma) }];
  // A comment may follow the last part on its line: what is new is below it.
  const comma = /^\s*,/.exec(text.slice(last.end))?.[0].length;
  const below = lineEnd(text, last.end + (comma ?? 0));
  const lines = added.map((part) => ownLines.newline + ownLines.prefix + part).join(',');
  if (comma !== undefined) return [{ start: below, end: below, text: `${lines},` }];
  return [
    { start: last.end, end: last.end, text: ',' },
    { start: below, end: below, text: lines },
  ];
}

/** What is between two parts. */
function partBreak({ comma, ownLines }: FlowStyle): string {
  return ownLines ? `,${ownLines.newline}${ownLines.prefix}` : comma;
}

/**
 * Takes out each run of parts that do not stay, with the comma on one side of it.
 * @param instead what takes the place of a run at the end
 */
function removeParts({ text }: Page, parts: readonly FlowPart[], kept: readonly FlowPart[], instead = ''): Splice[] {
  const splices: Splice[] = [];
  let from: number | undefined;
  let before: FlowPart | undefined;
  for (const part of parts) {
    if (!kept.includes(part)) from ??= part.start;
    else {
      if (from !== undefined) splices.push({ start: from, end: part.start, text: '' });
      from = undefined;
      before = part;
    }
  }
  const last = parts.at(-1)?.end ?? 0;
  // Nothing may stay but brackets where no part does.
  const comma = before || instead !== '' ? 0 : (/^\s*,/.exec(text.slice(last))?.[0].length ?? 0);
  if (from !== undefined) splices.push({ start: instead === '' ? (before?.end ?? from) : from, end: last + comma, text: instead });
  if (splices.some(({ start, end }) => text.slice(start, end).includes('#'))) throw new Refusal('there is a comment next to the member');
  return splices;
}
