import { isMap, isSeq } from 'yaml';
import { type Change, type Path, Refusal } from '../change.js';
import { appendToBlock, changeBlock, fillEmpty } from './block-splices.js';
import { appendToFlow, changeFlow } from './flow-splices.js';
import { type Splice, spliced } from './splice.js';
import { styleOf } from './style-of.js';
import type { CollectionEdit, Page } from './yaml-style.js';
import { type Collection, nodeOf, ownPair, parseTree } from './yaml-tree.js';

/** A text that has the changes, or the changes that it cannot have, each with the reason. */
export type EditedText = { readonly text: string } | { readonly blocked: readonly Blocked[] };

export interface Blocked {
  path: Path;
  reason: string;
}

/**
 * Makes changes in the text of one YAML or JSON document, and leaves every other character as it is: comments, order, quotes, anchors, line
 * breaks. What is put in is written as its neighbours are. Where several places share one text by an alias, it is changed only if all
 * of them want the change.
 */
export function editText(text: string, changes: readonly Change[]): EditedText {
  const blocked: Blocked[] = [];
  const splices: Splice[] = [];
  const page = unlessRefused(changes, blocked, () => {
    const tree = parseTree(text);
    return { ...tree, style: styleOf(tree) };
  });
  if (!page) return { blocked };
  // Where the last line of an inner collection is that of an outer one too, what is new in the inner one stands first.
  const deepestFirst = [...byCollection(page, changes, blocked)].toSorted(([, a], [, b]) => depthOf(b) - depthOf(a));
  for (const [collection, wanted] of deepestFirst)
    unlessRefused([...wanted.values()].flat(), blocked, () => {
      refuseShared(page, collection, wanted);
      const each = [...wanted.values()].flatMap((alike) => alike.slice(0, 1));
      for (const splice of splicesOf(page, collection, editOf(each))) splices.push(splice);
    });
  return blocked.length > 0 ? { blocked } : { text: spliced(text, splices) };
}

/** Changes of one collection: those that are alike come from the places that share it. */
type Wanted = Map<string, Change[]>;

function depthOf(wanted: Wanted): number {
  return [...wanted.values()].flat().reduce((deepest, change) => Math.max(deepest, collectionPath(change).length), 0);
}

/** The way to the mapping or list that a change is made in. */
function collectionPath({ type, path }: Change): Path {
  return type === 'append' ? path : path.slice(0, -1);
}

function byCollection(page: Page, changes: readonly Change[], blocked: Blocked[]): Map<Collection, Wanted> {
  const groups = new Map<Collection, Wanted>();
  for (const change of changes) {
    const collection = unlessRefused([change], blocked, () => page.collection(collectionPath(change)));
    if (!collection) continue;
    const wanted = groups.get(collection) ?? new Map<string, Change[]>();
    groups.set(collection, wanted);
    const token = change.type === 'append' ? undefined : change.path.at(-1);
    const key = JSON.stringify([change.type, token, 'value' in change ? change.value : 'values' in change ? change.values : null]);
    const alike = wanted.get(key);
    if (alike) alike.push(change);
    else wanted.set(key, [change]);
  }
  return groups;
}

function refuseShared(page: Page, collection: Collection, wanted: Wanted): void {
  for (const alike of wanted.values()) {
    const [change] = alike;
    const token = change?.type === 'set' ? change.path.at(-1) : undefined;
    const scalar =
      token === undefined ? undefined : nodeOf(isMap(collection) ? ownPair(collection, token)?.value : collection.items[Number(token)]);
    const places = Math.max(page.occurrences(collection), scalar ? page.occurrences(scalar) : 0);
    if (places !== alike.length) throw new Refusal('an alias in its YAML uses the same text in other places, which would change too');
  }
}

function editOf(changes: readonly Change[]): CollectionEdit {
  const edit: CollectionEdit = { set: new Map(), remove: new Set(), append: [] };
  for (const change of changes) {
    const token = change.path.at(-1) ?? '';
    if (change.type === 'append') edit.append.push(...change.values);
    else if (change.type === 'remove') edit.remove.add(token);
    else edit.set.set(token, change.value);
  }
  return edit;
}

function splicesOf(page: Page, collection: Collection, edit: CollectionEdit): Splice[] {
  const flow = collection.flow === true;
  if (isSeq(collection)) return flow ? appendToFlow(page, collection, edit) : appendToBlock(page, collection, edit);
  const owner = page.owner(collection);
  if (flow && collection.items.length === 0 && owner && owner.map.flow !== true) return fillEmpty(page, owner, collection, edit);
  return flow ? changeFlow(page, collection, edit) : changeBlock(page, collection, edit);
}

function unlessRefused<T>(changes: readonly Change[], blocked: Blocked[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const { path } of changes) blocked.push({ path, reason: error.message });
    return undefined;
  }
}
