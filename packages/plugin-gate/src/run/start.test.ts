import { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@bylaw/core/clock';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readCommand } from './command.js';
import { catchSignals } from './signals.js';
import { exitCodeOf, runCommand } from './start.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-start-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function command(text: string, ...words: string[]) {
  writeFileSync(join(folder, 'tool'), text);
  chmodSync(join(folder, 'tool'), 0o755);
  return readCommand(['./tool', ...words], { cwd: folder, path: '' });
}

function caught() {
  const signals = catchSignals();
  onTestFinished(() => signals.release());
  return { env: { PATH: process.env.PATH }, signals, clock: systemClock };
}

const ran = () => existsSync(join(folder, 'ran'));

describe('a command that was decided on', () => {
  it('runs in its folder with its environment, and is reported with exit code, times and duration', async () => {
    const ended = await runCommand(command('#!/bin/sh\n[ "$PWD" = "$1" ] && [ "$A" = b ] && touch ran\nexit 3\n', folder), {
      ...caught(),
      env: { PATH: process.env.PATH, A: 'b' },
    });
    expect(ended).toEqual({
      started: true,
      exitCode: 3,
      report: {
        status: 'error',
        exit_code: 3,
        started_at: expect.stringMatching(/Z$/),
        finished_at: expect.stringMatching(/Z$/),
        metrics: { duration_ms: expect.any(Number) },
      },
    });
    expect(ran()).toBe(true);
  });

  it.each<[string, () => void]>([
    ['changed', () => writeFileSync(join(folder, 'tool'), '#!/bin/sh\ntouch ran; exit 0\n')],
    ['removed', () => rmSync(join(folder, 'tool'))],
  ])('does not start if its executable was %s since', async (_, change) => {
    const decided = command('#!/bin/sh\ntouch ran\n');
    change();
    expect(await runCommand(decided, caught())).toEqual({
      started: false,
      signal: null,
      report: { status: 'skipped', message: 'The executable changed after the decision.' },
    });
    expect(ran()).toBe(false);
  });

  it('does not start if a signal came first', async () => {
    const how = caught();
    process.emit('SIGTERM');
    expect(await runCommand(command('#!/bin/sh\ntouch ran\n'), how)).toMatchObject({
      started: false,
      signal: 'SIGTERM',
      report: { status: 'skipped' },
    });
    expect(ran()).toBe(false);
  });

  it.each([
    ['an interpreter that does not exist', '#!/nonexistent/interpreter\n', [], 'ENOENT'],
    ['more words than the system takes', '#!/bin/sh\ntouch ran\n', ['hunter2'.repeat(1_000_000)], 'E2BIG'],
  ])('is reported as not started with %s, and no word is repeated', async (_, text, words, code) => {
    const ended = await runCommand(command(text, ...words), caught());
    expect(ended).toMatchObject({
      started: false,
      report: { status: 'skipped', message: `The system could not start the command (${code}).` },
    });
    expect(ran()).toBe(false);
  });

  it('is waited for although a signal may not be sent to it', async () => {
    const how = caught();
    const decided = command('#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\nexit 4\n');
    const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (this: ChildProcess) {
      this.emit('error', Object.assign(new Error('kill EPERM'), { code: 'EPERM' }));
      writeFileSync(join(folder, 'go'), '');
      return false;
    });
    onTestFinished(() => kill.mockRestore());
    const passed = vi.spyOn(how.signals, 'pass').mockImplementationOnce((to) => to('SIGTERM'));
    onTestFinished(() => passed.mockRestore());
    expect(await runCommand(decided, how)).toMatchObject({ started: true, exitCode: 4 });
  });

  it('that a signal ended has the exit code that a shell would give', async () => {
    expect(exitCodeOf('SIGKILL')).toBe(137);
    expect(await runCommand(command('#!/bin/sh\nkill -KILL $$\n'), caught())).toMatchObject({
      started: true,
      exitCode: 137,
      report: { status: 'error' },
    });
  });
});
