import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../cel/index.js';
import { itemPointers } from './item-pointer.js';

const OBJECT = { data: { 'a/b': 'x', c: '1' }, list: [{ n: 1 }, { n: 2, deep: { k: ['v'] } }] };

describe('the place of an item', () => {
  it('is where the object is', () => {
    expect(itemPointers(OBJECT, '', itemsOf('object.list.filter(i, i.n == 2)'))).toEqual(['/list/1']);
  });

  it('is the member, for an entry of a map', () => {
    expect(itemPointers(OBJECT, '', itemsOf('entries(object.data).filter(e, e.value == "x") + entries(object.?none)'))).toEqual([
      '/data/a~1b',
    ]);
  });

  it('is the scalar, for a leaf', () => {
    expect(itemPointers(OBJECT, '/spec', itemsOf('leaves(object.list)'))).toEqual([
      '/spec/list/0/n',
      '/spec/list/1/n',
      '/spec/list/1/deep/k/0',
    ]);
  });

  it('is unknown for what the expression made, or took from a text', () => {
    expect(itemPointers(OBJECT, '', itemsOf('[{"n": 1}] + entries({"a": 1}) + leaves(parseYaml("a: b"))'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

function itemsOf(source: string): unknown[] {
  const items = createEvaluator()
    .compile(source, { variables: ['object'], maxNodes: 100, maxNesting: 2 })
    .evaluate({ object: OBJECT });
  if (!Array.isArray(items)) throw new TypeError('not a list');
  return items;
}
