import { escapeToken } from '../../resource/text/pointer.js';
import { spendOnObjects } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { madeFrom } from '../origin.js';
import { type CelMap, entriesOf, isMap, mapOf, present } from '../standard/values.js';

const MAX_LEAVES = 10_000;
const MAX_DEPTH = 100;

/** The scalars of a tree. */
export const leavesOfTree: readonly CelFunction[] = [
  {
    signature: 'leaves(dyn): list<dyn>',
    summary:
      'Every scalar below a value (at most 10,000) as {key, path, value}: the nearest key (items of a list have the key of the list), the JSON Pointer, and the scalar. Absent and null members are left out. In `each`, a finding is located at the scalar.',
    example: 'leaves({"a": [{"b": 1}, "x"]}) == [{"key": "b", "path": "/a/0/b", "value": 1}, {"key": "a", "path": "/a/1", "value": "x"}]',
    call: (value: unknown) => leaves(present(value)),
  },
];

function leaves(root: unknown): CelMap[] {
  const found: CelMap[] = [];
  const visit = (value: unknown, key: string, path: string, depth: number): void => {
    if (found.length >= MAX_LEAVES || depth > MAX_DEPTH || value === null || value === undefined) return;
    spendOnObjects(1);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, key, `${path}/${index}`, depth + 1);
    } else if (isMap(value)) {
      for (const [name, item] of entriesOf(value)) visit(item, name, `${path}/${escapeToken(name)}`, depth + 1);
    } else {
      const leaf = mapOf([
        ['key', key],
        ['path', path],
        ['value', value],
      ]);
      found.push(madeFrom(leaf, root, path));
    }
  };
  visit(root, '', '', 0);
  return found;
}
