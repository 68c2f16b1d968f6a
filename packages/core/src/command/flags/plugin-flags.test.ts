import { Flags } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { format, withFormats, withIncreases } from './index.js';

const report = async () => undefined;
const reporters = [{ name: 'lines', mediaType: 'text/plain', description: 'one line per finding', fileExtension: 'txt', report }];
const view = () => Promise.reject(new Error('it is not shown'));
const compare = { member: 'water_use', module: new URL('file:///compare.js'), view, increase: 'Exit with 1 if it rises.' };

describe('the flags of a command', () => {
  it('offer the formats of plugins after those of core, with what they are', () => {
    const flags = withFormats({ format }, [{ plugin: { name: 'a', reporters } }, { plugin: { name: 'b' } }]);
    expect(flags.format.options).toEqual([...(format.options ?? []), 'lines']);
    expect(flags.format.description).toBe('Format of the report. Formats of plugins: lines: one line per finding.');
    expect(flags.format).toMatchObject({ char: 'f', default: 'text' });
  });

  it('stay as they are without such plugins, and where `format` is another flag', () => {
    const own = { format: Flags.string({ options: ['text', 'csv'] }) };
    expect(withFormats(own, [{ plugin: { name: 'a', reporters } }])).toBe(own);
    const flags = { format };
    expect(withFormats(flags, [{ plugin: { name: 'b' } }])).toBe(flags);
    expect(withFormats({}, [{ plugin: { name: 'a', reporters } }])).toEqual({});
  });

  it('limit what plugins compare, if they say so', () => {
    const { increase: _, ...unlimited } = { ...compare, member: 'heat' };
    const plugins = [{ plugin: { name: 'a', compare } }, { plugin: { name: 'b', compare: unlimited } }];
    const flags: { readonly [name: string]: object } = withIncreases({ format }, plugins);
    expect(Object.keys(flags)).toEqual(['format', 'fail-on-water-use-increase']);
    expect(flags['fail-on-water-use-increase']).toMatchObject({ description: compare.increase, helpValue: 'PERCENT', type: 'option' });
  });
});
