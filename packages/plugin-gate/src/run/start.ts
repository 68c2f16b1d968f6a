import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Clock } from '@bylaw/core/clock';
import type { ResultReport } from '../proposal/index.js';
import type { Command } from './command.js';
import { isUnchanged } from './executable.js';
import { comesFromTerminal, type Signals } from './signals.js';

/** How a command ended, or why it did not start. */
export type Ended =
  | { started: true; exitCode: number; report: ResultReport }
  | { started: false; signal: NodeJS.Signals | null; report: ResultReport };

/**
 * Runs a command without a shell, on the standard streams of this process, and passes signals to it. Whether the executable is
 * still the one that the gate decided on is checked as late as possible: only a change in the moment between this check and the
 * start stays unnoticed.
 */
export async function runCommand(
  { argv, cwd, executable }: Command,
  { env, signals, clock }: { env: NodeJS.ProcessEnv; signals: Signals; clock: Clock },
): Promise<Ended> {
  if (!isUnchanged(executable)) return notStarted('The executable changed after the decision.');
  if (signals.first !== undefined) return notStarted(`A signal (${signals.first}) came before the start.`, signals.first);
  const startedAt = clock.now().toISOString();
  const begin = process.hrtime.bigint();
  const child = await spawned(argv, executable.path, { cwd, env });
  if (!(child instanceof ChildProcess)) return notStarted(`The system could not start the command${child}.`);
  // A signal that may not be sent, for example to a command that runs as another user, does not end the wait.
  child.on('error', () => undefined);
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('exit', (...how) => resolve(how));
  });
  signals.pass((signal) => {
    if (!comesFromTerminal(signal)) child.kill(signal);
  });
  const [code, signal] = await ended;
  signals.pass(() => undefined);
  const exitCode = signal === null ? (code ?? 0) : exitCodeOf(signal);
  const report: ResultReport = {
    status: exitCode === 0 ? 'ok' : 'error',
    started_at: startedAt,
    finished_at: clock.now().toISOString(),
    exit_code: exitCode,
    ...(signal !== null && { message: `The command was ended by ${signal}.` }),
    metrics: { duration_ms: Math.round(Number(process.hrtime.bigint() - begin) / 1e6) },
  };
  return { started: true, exitCode, report };
}

/** @returns the running process, or why there is none: the code of the system, because its message would repeat the command */
async function spawned(
  [argv0 = '', ...args]: readonly string[],
  path: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ChildProcess | string> {
  try {
    const child = spawn(path, args, { cwd, env, argv0, stdio: 'inherit' });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  }
}

/** As shells count: 128 and the number of the signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0);
}

function notStarted(message: string, signal: NodeJS.Signals | null = null): Ended {
  return { started: false, signal, report: { status: 'skipped', message } };
}
