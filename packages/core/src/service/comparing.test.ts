import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { additionsOf } from '../evaluate/comparer.js';
import { comparersOf } from './comparing.js';

const SIDES = { current: [], proposed: [], place: {} };

function moduleOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-comparer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'compare.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}

describe('the comparers of plugins', () => {
  it('are made with the configuration when they are needed, and are in the order of their members', async () => {
    const module = moduleOf("export default ({ config, base }) => async () => ({ unavailable: [config.own, base].join(' ') });");
    const comparers = comparersOf({
      modules: [
        { member: 'cost', module },
        { member: 'carbon', module },
      ],
      config: { workloads: {}, own: 'setting' },
      base: '/base',
    });
    expect(comparers.map(({ member }) => member)).toEqual(['carbon', 'cost']);
    expect((await additionsOf(comparers, SIDES)).cost).toEqual({ unavailable: 'setting /base' });
  });

  it('fail alone where their module does', async () => {
    for (const module of ['file:///missing/compare.mjs', moduleOf('export default 1;'), moduleOf('throw new Error("at home");')]) {
      const comparers = comparersOf({ modules: [{ member: 'cost', module }], config: { workloads: {} }, base: '/' });
      expect(await additionsOf(comparers, SIDES)).toEqual({
        cost: { unavailable: expect.stringMatching(/^The plugin could not compute it \(\w*Error\)\.$/) },
      });
    }
  });
});
