import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './run-cli.js';
import { commandsShown, followPage, jsonFilesShown } from './transcript.js';

/** Many processes, one after the other, on a machine that others use too. */
const MINUTES = 60_000;

const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

describe('the guide to the gate', () => {
  it(
    'works as written from an empty folder',
    async () => {
      const text = page('gate.md');
      const files = { ...jsonFilesShown(text), 'verify_evidence.py': readFileSync(join(ROOT, 'verifier', 'verify_evidence.py'), 'utf8') };
      expect(Object.keys(files)).toEqual(['delete.json', 'release.json', 'status.json', 'verify_evidence.py']);
      const ran = await followPage(text, files);
      expect(ran.filter(({ matches }) => !matches)).toEqual([]);
      expect(ran).toHaveLength(commandsShown(text).length);
    },
    5 * MINUTES,
  );
});

describe('the guide to operating the gate', () => {
  it(
    'works as written from an empty folder, with its drills',
    async () => {
      const text = page('gate-operation.md');
      const ran = await followPage(text, jsonFilesShown(text));
      expect(ran.filter(({ matches }) => !matches)).toEqual([]);
      expect(ran).toHaveLength(commandsShown(text).length);
    },
    5 * MINUTES,
  );
});

describe('the test that follows a page', () => {
  const shown = (...lines: string[]) => ['```console', ...lines, '```', ''].join('\n');

  it('completes a command from what was written before, and compares the output', async () => {
    const text = shown('$ echo "id a-1 b-2"', 'id a-… b-2', '$ echo a-… b-…', 'a-1 b-2', '$ export X=b-…', '$ echo $X', 'b-2');
    expect((await followPage(text, {})).map(({ matches }) => matches)).toEqual([true, true, true, true]);
  });

  it('stops at the first output that is not the one shown', async () => {
    const ran = await followPage(shown('$ echo one', 'two', '$ echo three', 'three'), {});
    expect(ran).toMatchObject([{ command: 'echo one', output: 'two', actual: 'one', matches: false }]);
  });

  it('waits for a command in the background, and takes `…` for any lines', async () => {
    const text = shown('$ { echo ready; read line < /dev/zero; } &', 'ready', '$ seq 5', '1', '…', '5');
    expect((await followPage(text, {})).map(({ matches }) => matches)).toEqual([true, true]);
  });
});
