import { describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { additionsOf, type ComparedSides, type NamedComparer } from './comparer.js';

const SIDES: ComparedSides = { current: [], proposed: [], place: { provider: 'aws' } };
const failing = (error: Error): NamedComparer => ({
  member: 'cost',
  compare: async () => {
    throw error;
  },
});

describe('what plugins add to a comparison', () => {
  it('is in a member per plugin, computed from both sides and the place', async () => {
    const seen: ComparedSides[] = [];
    const compare: NamedComparer['compare'] = async (sides) => {
      seen.push(sides);
      return { unavailable: 'no data' };
    };
    expect(await additionsOf([{ member: 'carbon', compare }], SIDES)).toEqual({ carbon: { unavailable: 'no data' } });
    expect(seen).toEqual([SIDES]);
    expect(await additionsOf([], SIDES)).toEqual({});
  });

  it('says why it could not be made, and loses nothing else', async () => {
    const working: NamedComparer = { member: 'carbon', compare: async () => ({ unavailable: 'no data' }) };
    const mendable = new BylawError('path-unreadable', 'The price file cannot be read.', { hint: 'Mend it.' });
    expect(await additionsOf([failing(mendable), working], SIDES)).toEqual({
      cost: { unavailable: 'The price file cannot be read. Mend it.' },
      carbon: { unavailable: 'no data' },
    });
  });

  it.each([undefined, null, 'text', [1]])('is unknown where it is %j and no object', async (made) => {
    const compare = async () => made as never; // what the type refuses
    expect(await additionsOf([{ member: 'cost', compare }], SIDES)).toEqual({
      cost: { unavailable: 'The plugin could not compute it (TypeError).' },
    });
  });

  it('does not repeat the message of an unexpected error', async () => {
    const { cost } = await additionsOf([failing(new TypeError('secret of the input'))], SIDES);
    expect(cost).toEqual({ unavailable: 'The plugin could not compute it (TypeError).' });
  });
});
