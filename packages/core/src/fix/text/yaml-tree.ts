import { type Alias, isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { keyOf, resolvePlain } from '../../resource/yaml/scalar.js';
import { type Path, Refusal } from '../change.js';

export type YamlNode = YAMLMap | YAMLSeq | Scalar | Alias;
export type Collection = YAMLMap | YAMLSeq;

/** A document as the nodes of its text. */
export interface YamlTree {
  text: string;
  root: YamlNode;
  /** The member whose value a collection is, where it is one and not an item. */
  owner(collection: Collection): Owner | undefined;
  /** The mapping or list at the end of a path; aliases on the way are followed. @throws {Refusal} */
  collection(path: Path): Collection;
  /** What an alias stands for; any other node stands for itself. */
  followed(node: YamlNode): YamlNode | undefined;
  /** How often a node is in the document once its aliases are expanded. */
  occurrences(node: YamlNode): number;
}

export interface Owner {
  map: YAMLMap;
  pair: Pair;
}

/** @throws {Refusal} for a text that has a form which cannot be changed piece by piece */
export function parseTree(text: string): YamlTree {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  // A bracket that stands too far left is read all the same, as Kubernetes reads it.
  if (document.errors.some((error) => error.code !== 'BAD_INDENT'))
    throw new Refusal('its YAML has a form that cannot be changed in parts');
  const root = nodeOf(document.contents);
  if (!root) throw new Refusal('the document is empty');
  const links: Links = { owners: new Map(), targets: new Map(), anchors: new Map() };
  noteLinks(root, links);
  let counts: Map<YamlNode, number> | undefined;
  return {
    text,
    root,
    owner: (collection) => links.owners.get(collection),
    collection: (path) => collectionAt(root, path, links),
    followed: (node) => followed(node, links),
    occurrences(node) {
      if (links.targets.size === 0) return 1;
      counts ??= countOccurrences(root, links);
      return counts.get(node) ?? 0;
    },
  };
}

/** The member of a mapping with this key, where it has one of its own: what a merge key brings in stands elsewhere. */
export function ownPair(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && keyName(pair.key) === key);
}

/** The value of a member, or the item of a list. */
export function nodeOf(value: unknown): YamlNode | undefined {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value) ? value : undefined;
}

/** Whether a value is written as nothing, `~` or `null`. */
export function isNullNode(node: YamlNode | undefined): boolean {
  if (node === undefined) return true;
  return (
    isScalar(node) && node.type === 'PLAIN' && node.tag === undefined && node.anchor === undefined && resolvePlain(sourceOf(node)) === null
  );
}

/** Where a node starts and ends in the text, without its anchor, its tag and what follows it. */
export function extentOf(node: YamlNode): { start: number; end: number } {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}

function keyName(key: Scalar): string | undefined {
  if (key.type !== 'PLAIN' && key.tag === undefined) return String(key.value);
  try {
    return keyOf(sourceOf(key), key.tag);
  } catch {
    return undefined;
  }
}

function sourceOf(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value ?? '');
}

interface Links {
  owners: Map<YamlNode, Owner>;
  /** What each alias stands for. */
  targets: Map<YamlNode, YamlNode | undefined>;
  /** The node that had an anchor last, while the document is gone through. */
  anchors: Map<string, YamlNode>;
}

/** In the order of the text, because an alias means the nearest node above with its anchor. */
function noteLinks(node: YamlNode | undefined, links: Links): void {
  if (node === undefined) return;
  if (isAlias(node)) links.targets.set(node, links.anchors.get(node.source));
  else if (node.anchor !== undefined) links.anchors.set(node.anchor, node);
  if (isMap(node))
    for (const pair of node.items) {
      const value = nodeOf(pair.value);
      if (isMap(value) || isSeq(value)) links.owners.set(value, { map: node, pair });
      noteLinks(nodeOf(pair.key), links);
      noteLinks(value, links);
    }
  else if (isSeq(node)) for (const item of node.items) noteLinks(nodeOf(item), links);
}

function collectionAt(root: YamlNode, path: Path, links: Links): Collection {
  let node = followed(root, links);
  for (const token of path) node = followed(childOf(node, token), links);
  if (isMap(node) || isSeq(node)) return node;
  throw new Refusal('the current value is not what the fix expects');
}

function childOf(node: YamlNode | undefined, token: string): YamlNode | undefined {
  if (isSeq(node)) return nodeOf(node.items[Number(token)]);
  if (!isMap(node)) return undefined;
  const pair = ownPair(node, token);
  if (!pair) throw new Refusal('the mapping comes from a merge key (<<)');
  return nodeOf(pair.value);
}

function followed(node: YamlNode | undefined, links: Links): YamlNode | undefined {
  return isAlias(node) ? links.targets.get(node) : node;
}

/** The readers refuse documents that expand further, so this ends soon. */
function countOccurrences(root: YamlNode, links: Links): Map<YamlNode, number> {
  const counts = new Map<YamlNode, number>();
  const visit = (node: YamlNode | undefined): void => {
    if (node === undefined) return;
    counts.set(node, (counts.get(node) ?? 0) + 1);
    if (isAlias(node)) visit(followed(node, links));
    else if (isMap(node)) for (const { value } of node.items) visit(nodeOf(value));
    else if (isSeq(node)) for (const item of node.items) visit(nodeOf(item));
  };
  visit(root);
  return counts;
}
