import { describe, expect, it } from 'vitest';
import { CORE_MEMBERS } from '../evaluate/index.js';
import { comparisonSchema } from '../http/schemas/index.js';
import { checkPlugin } from './check-plugin.js';
import { comparingOf } from './comparing-of.js';

const module = new URL('file:///plugin/compare.js');
const NOTHING = { summary: [], items: [], unknown: [], unknownTotal: 0, warnings: [], sources: [] };
const view = async () => ({ description: 'Water.', schema: {}, column: 'Litres', words: () => NOTHING });
const plugin = (name: string, member?: string) => ({
  plugin: { name, ...(member !== undefined && { compare: { member, module, view } }) },
});
const context = { config: { workloads: {} }, base: '/' };

describe('what plugins name as additions to comparisons', () => {
  it('is given on as texts, which threads can be told', () => {
    const comparing = comparingOf([plugin('a', 'cost'), plugin('b')], context);
    expect(structuredClone(comparing)).toEqual({ ...context, modules: [{ member: 'cost', module: module.href }] });
  });

  it.each([
    { member: 'Water', module, view },
    { member: '__proto__', module, view },
    { member: 'water', module },
    { member: 'water', module: new URL('https://example.com/a.js'), view },
    { member: 'water', module, view, rank: 'first' },
    { member: 'water', module, view, increase: true },
    { member: 'water', module, view, examples: ['bylaw validate'] },
    { module, view },
    () => 1,
  ])('has the form of the contract: %o', (compare) => {
    expect(() => checkPlugin({ name: 'a', compare }, 'a')).toThrow(/`compare` must be/);
  });

  it('takes no name of core', () => {
    const { properties } = comparisonSchema({}) as { properties: object };
    expect(Object.keys(properties).toSorted()).toEqual(CORE_MEMBERS.toSorted());
    for (const member of CORE_MEMBERS)
      expect(() => checkPlugin({ name: 'a', compare: { member, module, view } }, 'a')).toThrow(/`compare` must be/);
    expect(checkPlugin({ name: 'a', compare: { member: 'water', module, view } }, 'a').name).toBe('a');
  });
});
