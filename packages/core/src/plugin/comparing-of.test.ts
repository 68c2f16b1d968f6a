import { describe, expect, it } from 'vitest';
import { checkPlugin } from './check-plugin.js';
import { comparingOf } from './comparing-of.js';

const module = new URL('file:///plugin/compare.js');
const plugin = (name: string, member?: 'carbon' | 'cost') => ({
  plugin: { name, ...(member && { compare: { member, module } }) },
  packageName: name,
});
const context = { config: { workloads: {} }, base: '/' };

describe('what plugins name as additions to comparisons', () => {
  it('is given on as texts, which threads can be told', () => {
    const comparing = comparingOf([plugin('a', 'cost'), plugin('b')], context);
    expect(structuredClone(comparing)).toEqual({ ...context, modules: [{ member: 'cost', module: module.href }] });
  });

  it('may be named by one plugin only', () => {
    expect(() => comparingOf([plugin('a', 'cost'), plugin('b', 'cost')], context)).toThrow(/a and b both add `cost`/);
  });

  it.each([{ member: 'water', module }, { member: 'cost', module: new URL('https://example.com/a.js') }, { module }, () => 1])(
    'has the form of the contract: %o',
    (compare) => {
      expect(() => checkPlugin({ name: 'a', compare }, 'a')).toThrow(/`compare` must be/);
    },
  );
});
