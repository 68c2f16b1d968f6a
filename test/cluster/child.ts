import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A program that runs until it is stopped. */
export interface Child {
  /** Resolves when it holds. @throws where the program ends before, or where it takes longer than five minutes */
  until(holds: () => Promise<boolean>): Promise<void>;
  /** Resolves when the program has ended. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 300_000;

/** Starts it in this folder, which also gets the log of its output. */
export function startChild(program: string, args: readonly string[], folder: string): Child {
  const log = join(folder, `${basename(program)}.log`);
  const output = openSync(log, 'a');
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'close').catch(() => undefined);
  // A run that is broken off must not leave it behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    until: async (holds) => {
      const deadline = performance.now() + PATIENCE_MS;
      while (!(await holds().catch(() => false))) {
        if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
          throw new Error(`${program} is not ready; its last words:\n${readFileSync(log, 'utf8').slice(-4000)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      const patience = setTimeout(kill, 20_000);
      await ended;
      clearTimeout(patience);
    },
  };
}
