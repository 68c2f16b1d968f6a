import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { folderWith } from '../testing/files.test-support.js';
import { type ProgramCall, runProgram } from './run-program.js';

function node(script: string, more: Partial<ProgramCall> = {}) {
  const call = { program: process.execPath, args: ['-e', script, '--', 'a b', '$(id)', '"'], cwd: folderWith(), env: {} };
  return runProgram({ ...call, timeoutMs: 60_000, maxBytes: 1_000_000, maxMemory: 2 ** 31, ...more });
}

describe('running a program', () => {
  it('gives what it wrote, and hands it its arguments as they are, with nothing of the environment', async () => {
    const script = 'process.stdout.write(JSON.stringify([process.argv.slice(1), Object.keys(process.env)]))';
    expect(await node(script)).toEqual({ status: 'done', output: '[["a b","$(id)","\\""],[]]' });
  });

  it('gives it no input', async () => {
    expect(await node('process.stdin.on("end", () => console.log("end")).resume()')).toEqual({ status: 'done', output: 'end\n' });
  });

  it('gives the start of what it said when it fails', async () => {
    expect(await node('process.stderr.write("Error: no"); process.exitCode = 3')).toEqual({ status: 'failed', stderr: 'Error: no' });
    expect(await node('process.exitCode = 3')).toEqual({ status: 'failed', stderr: 'it ended with 3' });
    expect(await node('process.kill(process.pid, "SIGTERM")')).toEqual({ status: 'failed', stderr: 'it ended with SIGTERM' });
    const long = await node('process.stderr.write("x".repeat(1e6), () => process.exit(1))');
    expect(long).toMatchObject({ status: 'failed', stderr: expect.stringMatching(/^x{1,65536}$/) });
  });

  it('says when it cannot be started', async () => {
    expect(await node('', { program: join(folderWith(), 'none') })).toMatchObject({
      status: 'failed',
      stderr: expect.stringContaining('cannot be started'),
    });
  });

  it('ends one that writes too much', async () => {
    const endless = 'const write = () => process.stdout.write("x".repeat(65536), write); write()';
    expect(await node(endless)).toEqual({ status: 'too-large' });
    expect(await node('process.stdout.write("x".repeat(100))', { maxBytes: 100 })).toMatchObject({ status: 'done' });
    expect(await node('process.stdout.write("x".repeat(101))', { maxBytes: 100 })).toEqual({ status: 'too-large' });
  });

  it('ends one that takes too long', async () => {
    expect(await node('setInterval(() => {}, 1000)', { timeoutMs: 200 })).toEqual({ status: 'timeout' });
  });

  it.runIf(process.platform === 'linux')('ends one that holds too much memory', async () => {
    const greedy = 'const held = []; setInterval(() => held.push(Buffer.alloc(1e6, 1)), 1)';
    expect(await node(greedy, { maxMemory: 100_000_000 })).toEqual({ status: 'out-of-memory' });
  });

  it('ends with it all that it has started, though they hold its pipes', async () => {
    const cwd = folderWith();
    const child = 'require("fs").writeFileSync("pid", String(process.pid)); console.log("x".repeat(200)); setInterval(() => {}, 1000)';
    const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" })`;
    expect(await node(script, { cwd, maxBytes: 100 })).toEqual({ status: 'too-large' });
    const started = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    await vi.waitFor(() => expect(isAlive(started)).toBe(false));
  });
});

/** A process that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return !/\) Z /.test(stat);
}
