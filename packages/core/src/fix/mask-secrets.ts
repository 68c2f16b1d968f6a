import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { type Path, Refusal } from './change.js';
import { type Splice, spliced } from './text/splice.js';
import { extentOf, nodeOf, ownPair, parseTree, type YamlNode, type YamlTree } from './text/yaml-tree.js';

const MASK = '***';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The text of a document without the values of its Secrets, for a reader who should not see them: what they hold in `data`, in `stringData` and
 * in the copy that `kubectl apply` leaves. It is not a text to work with.
 * @param secrets where the Secrets stand; `all` where that could not be read
 */
export function maskSecrets(text: string, secrets: readonly Path[] | 'all'): string {
  if (secrets === 'all') return MASK;
  if (secrets.length === 0) return text;
  try {
    const tree = parseTree(text);
    const found = new Map<number, Splice>();
    for (const path of secrets) for (const node of valuesOf(tree, path)) maskWithin(tree, node, found);
    return spliced(text, [...found.values()]);
  } catch (error) {
    if (error instanceof Refusal) return MASK;
    throw error;
  }
}

function valuesOf(tree: YamlTree, path: Path): (YamlNode | undefined)[] {
  const object = tree.collection(path);
  const metadata = memberOf(tree, object, 'metadata');
  const annotations = metadata && memberOf(tree, metadata, 'annotations');
  return [memberOf(tree, object, 'data'), memberOf(tree, object, 'stringData'), annotations && memberOf(tree, annotations, LAST_APPLIED)];
}

function memberOf(tree: YamlTree, node: YamlNode, key: string): YamlNode | undefined {
  const map = tree.followed(node);
  return isMap(map) ? nodeOf(ownPair(map, key)?.value) : undefined;
}

/** Also what an alias or a merge key brings in from elsewhere. */
function maskWithin(tree: YamlTree, node: YamlNode | undefined, found: Map<number, Splice>): void {
  if (isAlias(node)) maskWithin(tree, tree.followed(node), found);
  else if (isMap(node)) for (const pair of node.items) maskWithin(tree, nodeOf(pair.value), found);
  else if (isSeq(node)) for (const item of node.items) maskWithin(tree, nodeOf(item), found);
  else if (isScalar(node)) {
    const { start, end } = extentOf(node);
    // The line break that ends a text of several lines stays.
    const last = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' ? end - 1 : end;
    if (last > start) found.set(start, { start, end: last, text: MASK });
  }
}
