import { isAlias, isScalar } from 'yaml';
import type { JsonValue } from '../../resource/text/json.js';
import { Refusal } from '../refusal.js';
import type { Splice } from './splice.js';
import { hasMembers, type Quoting, scalarText } from './write-value.js';
import { extentOf, type YamlNode } from './yaml-tree.js';

/** Puts another value in the place of a scalar, quoted as it was. An alias is replaced here, and nowhere else. @throws {Refusal} */
export function scalarSplice(node: YamlNode | undefined, value: JsonValue): Splice {
  if (hasMembers(value) || !(isScalar(node) || isAlias(node))) throw new Refusal('the current value is not what the fix expects');
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'))
    throw new Refusal('the current value spans several lines');
  return { ...extentOf(node), text: scalarText(value, quotingOf(node)) };
}

/** How a text is quoted. */
export function quotingOf(node: YamlNode | undefined): Quoting {
  if (!isScalar(node)) return 'plain';
  return node.type === 'QUOTE_DOUBLE' ? 'double' : node.type === 'QUOTE_SINGLE' ? 'single' : 'plain';
}
