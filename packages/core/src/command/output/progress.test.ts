import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { AnyInput } from '../../evaluate/index.js';
import { textInput } from '../../resource/index.js';
import { showProgress } from './progress.js';

const large = { ...textInput('large.yaml', 'x'.repeat(100)), size: 5_000_000 };
const small = textInput('small.yaml', 'x');

describe('the progress bar', () => {
  it('moves with what is read, and is gone before the report is written to the same terminal', async () => {
    const screen = newScreen(true);
    const { inputs, onProgress, around } = await showProgress([large], 2, { stderr: screen.stream, stdout: { isTTY: true } });
    for (const input of inputs) if ('open' in input) for await (const chunk of input.open()) expect(chunk.length).toBe(100);
    onProgress?.(1234);
    const before = screen.text();
    expect(before).toContain('0%');
    const report: string[] = [];
    await around({ write: (chunk) => void report.push(chunk) }).write('report');
    expect(report).toEqual(['report']);
    expect(screen.text()).toContain('1,234 documents');
    expect(screen.text().endsWith('\u001b[2K')).toBe(true);
  });

  it('leaves the terminal as it is: a run that is interrupted has nothing to restore', async () => {
    const screen = newScreen(true);
    (await showProgress([large], 1, { stderr: screen.stream, stdout: {} })).stop();
    expect(screen.text()).not.toContain('\u001b[?');
  });

  it('counts the files of a folder, whose sizes are not known', async () => {
    const screen = newScreen(true);
    const files = Array.from({ length: 200 }, (_, i): AnyInput => {
      const { size: _size, ...unknown } = textInput(`${i}.yaml`, 'x');
      return unknown;
    });
    const { inputs, stop } = await showProgress(files, 1, { stderr: screen.stream, stdout: {} });
    for (const input of inputs) if ('open' in input) for await (const chunk of input.open()) expect(chunk.length).toBe(1);
    stop();
    expect(screen.text()).toContain('0 of 200 files');
    expect(screen.text()).toContain('200 of 200 files');
  });

  it.each([
    ['a pipe', false, large],
    ['little to read', true, small],
  ])('does not appear for %s', async (_what, isTTY, input) => {
    const screen = newScreen(isTTY);
    const progress = await showProgress([input], 1, { stderr: screen.stream, stdout: {} });
    expect(progress.inputs).toEqual([input]);
    progress.stop();
    expect(screen.text()).toBe('');
  });
});

/** A stream that says it is a terminal, or that it is not one. */
function newScreen(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 80 }), text: () => text };
}
