import { failure } from '../budget/budget.js';
import { spendOnNewList, spendOnObjects } from '../budget/costs.js';
import { type CelFunction, celNamespace } from '../function.js';
import { identityOf } from '../standard/equality.js';
import { optionalOf } from '../standard/values.js';
import { compareValues, sumOf } from './order.js';

export const listsNamespace = celNamespace('lists');
export const setsNamespace = celNamespace('sets');

/** The CEL list and set extensions, and the list functions of Kubernetes. */
export const lists: readonly CelFunction[] = [
  {
    signature: 'list.flatten(): list<dyn>',
    summary: 'The list with nested lists replaced by their items, one level deep.',
    example: '[1, [2, [3]]].flatten() == [1, 2, [3]]',
    call: (list: unknown[]) => flattened(list),
  },
  {
    signature: 'list.flatten(int): list<dyn>',
    summary: 'The same for the given number of levels.',
    example: '[1, [2, [3]]].flatten(2) == [1, 2, 3]',
    call: (list: unknown[], depth: bigint) => {
      if (depth < 0n) throw failure('flatten() needs a depth of 0 or more');
      let flat = list;
      for (let level = 0n; level < depth && flat.some(Array.isArray); level++) flat = flattened(flat);
      return flat;
    },
  },
  {
    signature: 'list.distinct(): list<dyn>',
    summary: 'The list without items that equal an earlier item.',
    example: '[1, 2, 1.0, "a", "a"].distinct() == [1, 2, "a"]',
    call: distinct,
  },
  {
    signature: 'list.slice(int, int): list<dyn>',
    summary: 'The items from the first position up to, but not including, the second.',
    example: '[1, 2, 3].slice(1, 3) == [2, 3]',
    call: (list: unknown[], start: bigint, end: bigint) => {
      if (start < 0n || end > BigInt(list.length) || start > end) throw failure(`slice(${start}, ${end}) is out of range`);
      spendOnNewList(Number(end - start));
      return list.slice(Number(start), Number(end));
    },
  },
  {
    signature: 'list.sort(): list<dyn>',
    summary: 'The list in ascending order. The items must be of one kind (numbers, strings, bools, bytes, timestamps, durations).',
    example: '[3, 1, 2].sort() == [1, 2, 3]',
    call: (list: unknown[]) => {
      spendOnNewList(list.length);
      return list.toSorted(compareValues);
    },
  },
  {
    signature: 'list.reverse(): list<dyn>',
    summary: 'The list in reverse order.',
    example: '[1, 2].reverse() == [2, 1]',
    call: (list: unknown[]) => {
      spendOnNewList(list.length);
      return list.toReversed();
    },
  },
  {
    signature: 'list.first(): optional<dyn>',
    summary: 'The first item, if there is one.',
    example: '[1, 2].first().value() == 1 && ![].first().hasValue()',
    call: (list: unknown[]) => optionalOf(list[0]),
  },
  {
    signature: 'list.last(): optional<dyn>',
    summary: 'The last item, if there is one.',
    example: '[1, 2].last().value() == 2',
    call: (list: unknown[]) => optionalOf(list.at(-1)),
  },
  {
    signature: 'list.sum(): dyn',
    summary: 'The sum of numbers or durations; 0 for an empty list.',
    example: '[1, 2].sum() == 3 && [].sum() == 0',
    call: (list: unknown[]) => sumOf(list),
  },
  {
    signature: 'list.min(): dyn',
    summary: 'The smallest item; an error for an empty list.',
    example: '[3, 1].min() == 1',
    call: (list: unknown[]) => extreme(list, 'min', -1),
  },
  {
    signature: 'list.max(): dyn',
    summary: 'The largest item; an error for an empty list.',
    example: '[3, 1].max() == 3',
    call: (list: unknown[]) => extreme(list, 'max', 1),
  },
  {
    signature: 'list.isSorted(): bool',
    summary: 'Whether no item is smaller than the one before it.',
    example: '[1, 2, 2].isSorted() && !["b", "a"].isSorted()',
    call: (list: unknown[]) => list.every((item, index) => index === 0 || compareValues(list[index - 1], item) <= 0),
  },
  {
    signature: 'list.indexOf(dyn): int',
    summary: 'The position of the first equal item, or -1.',
    example: '["a", "b"].indexOf("b") == 1 && [].indexOf(1) == -1',
    call: (list: unknown[], item: unknown) => BigInt(list.map(identityOf).indexOf(identityOf(item))),
  },
  {
    signature: 'list.lastIndexOf(dyn): int',
    summary: 'The position of the last equal item, or -1.',
    example: '[1, 2, 1].lastIndexOf(1) == 2',
    call: (list: unknown[], item: unknown) => BigInt(list.map(identityOf).lastIndexOf(identityOf(item))),
  },
  {
    signature: 'dyn.includes(dyn): bool',
    summary: 'Whether a list contains the argument. For a value that is not a list: whether it equals the argument.',
    example: '[1, 2].includes(2) && "a".includes("a")',
    call: (target: unknown, item: unknown) =>
      (Array.isArray(target) ? target : [target]).some((candidate) => identityOf(candidate) === identityOf(item)),
  },
  {
    signature: 'bylaw.lists.range(int): list<int>',
    summary: 'The integers from 0 up to, but not including, the number (at most 10,000).',
    example: 'lists.range(3) == [0, 1, 2]',
    call: (_lists: object, count: bigint) => {
      if (count > 10_000n) throw failure('lists.range() returns at most 10,000 items');
      spendOnObjects(Math.max(Number(count), 0));
      return Array.from({ length: Math.max(Number(count), 0) }, (_, index) => BigInt(index));
    },
  },
  {
    signature: 'bylaw.sets.contains(list, list): bool',
    summary: 'Whether every item of the second list equals an item of the first.',
    example: 'sets.contains([1, 2, 3], [2, 3.0])',
    call: (_sets: object, list: unknown[], part: unknown[]) => containsAll(list, part),
  },
  {
    signature: 'bylaw.sets.equivalent(list, list): bool',
    summary: 'Whether both lists contain the same items. Order and repetition are ignored.',
    example: 'sets.equivalent([1, 2], [2, 1, 1])',
    call: (_sets: object, a: unknown[], b: unknown[]) => containsAll(a, b) && containsAll(b, a),
  },
  {
    signature: 'bylaw.sets.intersects(list, list): bool',
    summary: 'Whether an item of one list equals an item of the other.',
    example: 'sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [])',
    call: (_sets: object, a: unknown[], b: unknown[]) => {
      const known = new Set(a.map(identityOf));
      return b.some((item) => known.has(identityOf(item)));
    },
  },
];

/** One level down. The same list can be an item many times. */
function flattened(list: readonly unknown[]): unknown[] {
  spendOnNewList(list.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 1), 0));
  return list.flat();
}

function distinct(list: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => seen.size < seen.add(identityOf(item)).size);
}

function containsAll(list: readonly unknown[], part: readonly unknown[]): boolean {
  const known = new Set(list.map(identityOf));
  return part.every((item) => known.has(identityOf(item)));
}

function extreme(list: readonly unknown[], name: string, sign: 1 | -1): unknown {
  const [first, ...rest] = list;
  if (first === undefined) throw failure(`${name}() of an empty list`);
  return rest.reduce((best, item) => (Math.sign(compareValues(item, best)) === sign ? item : best), first);
}
