import { isAlias, isScalar } from 'yaml';
import type { JsonValue } from '../../resource/text/json.js';
import { Refusal } from '../change.js';
import { hasMembers, type Quoting, scalarText } from './write-value.js';
import { extentOf, type YamlNode } from './yaml-tree.js';

/** A part of a text to be replaced. Start and end are the same where something is put in. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** The text with all the parts replaced. What is put in at one place is there in the order given. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error('two changes affect the same part of a text');
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

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
