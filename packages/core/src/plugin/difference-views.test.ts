import { describe, expect, it } from 'vitest';
import { requestCheck } from '../request-check.js';
import { comparisonMembersOf, comparisonSchemaOf, differenceViewsOf } from './difference-views.js';

const words = { summary: [], items: [], unknown: [], unknownTotal: 0, warnings: [], sources: [] };
const plugin = (name: string, member: string, rank?: number) => ({
  plugin: {
    name,
    compare: {
      member,
      module: new URL('file:///compare.js'),
      ...(rank !== undefined && { rank }),
      view: async () => ({ description: member, schema: { type: 'object', required: ['litres'] }, column: member, words: () => words }),
    },
  },
});
const PLUGINS = [
  plugin('d', 'water_use'),
  plugin('c', 'heat'),
  plugin('b', 'cost', 10),
  plugin('a', 'noise', 200),
  { plugin: { name: 'e' } },
];

describe('what plugins add to comparisons', () => {
  it('names the plugin that cannot load how it is shown', async () => {
    const broken = {
      plugin: { name: 'b', compare: { ...plugin('b', 'heat').plugin.compare, view: () => Promise.reject(new Error('no luck')) } },
    };
    await expect(differenceViewsOf([broken])).rejects.toMatchObject({
      code: 'plugin-invalid',
      message: 'The plugin b cannot show what it adds to comparisons: no luck.',
    });
  });

  it('is shown by rank, then by name, in whatever order the plugins are', async () => {
    for (const plugins of [PLUGINS, PLUGINS.toReversed()])
      expect(comparisonMembersOf(plugins).map(({ compare }) => compare.member)).toEqual(['cost', 'heat', 'water_use', 'noise']);
    expect((await differenceViewsOf(PLUGINS)).at(2)).toMatchObject({ member: 'water_use', noun: 'water use', plugin: 'd' });
  });

  it('is in the schema of a comparison, by name: what is computed, or why it cannot be', async () => {
    const { properties } = (await comparisonSchemaOf(PLUGINS)) as { properties: { [member: string]: object } };
    const names = Object.keys(properties);
    expect(names.filter((name) => ['cost', 'heat', 'noise', 'water_use'].includes(name))).toEqual(['cost', 'heat', 'noise', 'water_use']);
    const check = requestCheck(properties.heat ?? {});
    expect(check({ litres: 1 })).toEqual([]);
    expect(check({ unavailable: 'No data.' })).toEqual([]);
    expect(check({ gallons: 1 })).not.toEqual([]);
  });
});
