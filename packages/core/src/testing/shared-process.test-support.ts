import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Done, Job } from './shared-process-child.test-support.js';

/** Runs one command after another. They share a process, so that only the first one has to load the program. */
export type RunShared = (args: readonly string[], options?: SharedOptions) => Promise<Done>;

export interface SharedOptions {
  /** Absent: the working directory of this process. */
  cwd?: string;
  /** The environment of the command, and nothing else is in it. Absent: `PATH`. */
  env?: NodeJS.ProcessEnv;
  /** Its standard input. Absent: it is empty. */
  input?: string | Uint8Array;
}

/** The compiled file, which Node can run. */
const CHILD = fileURLToPath(new URL('../../dist/testing/shared-process-child.test-support.js', import.meta.url));

/**
 * A process in which commands of this program run, for tests that ask what a command answers. It starts with the first command
 * and ends with this process. Each command gets the same arguments, working directory, environment and standard input as in a process of its own.
 * Not for tests of what only a real process has: signals, descriptors, a broken pipe, several at once, servers.
 * @param main the compiled module that exports `main(argv)`
 * @returns a function that rejects if a command ends the process
 */
export function sharedProcess(main: URL): RunShared {
  let child: ChildProcess | undefined;
  const answered = new Map<number, (done: Done) => void>();
  let jobs = 0;
  return async (args, { cwd = process.cwd(), env = { PATH: process.env.PATH }, input = '' } = {}) => {
    child ??= startChild(main, answered);
    const job: Job = { id: ++jobs, args: [...args], cwd, env, input: Buffer.from(input) };
    const done = new Promise<Done>((resolve) => answered.set(job.id, resolve));
    child.send(job);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The command ended the shared process: ${args.join(' ')}`);
    });
    ended.catch(() => undefined);
    return Promise.race([done, ended]);
  };
}

function startChild(main: URL, answered: Map<number, (done: Done) => void>): ChildProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = fork(CHILD, [main.href], {
    execArgv: [],
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.setMaxListeners(0);
  child.on('message', (message) => {
    const done = message as Done & { id: number }; // the child sends nothing else
    answered.get(done.id)?.({ code: done.code, stdout: done.stdout, stderr: done.stderr });
    answered.delete(done.id);
  });
  return child;
}
