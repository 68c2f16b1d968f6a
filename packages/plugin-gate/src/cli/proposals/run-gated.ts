import { userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '@bylaw/core/clock';
import { BylawError } from '@bylaw/core/errors';
import { type Connection, type FailMode, reportResult } from '../../client/index.js';
import { gateError } from '../../error-table.js';
import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
import type { ResultReport } from '../../proposal/index.js';
import {
  askPermission,
  bodyOf,
  type Command,
  catchSignals,
  EXITS,
  exitCodeOf,
  keptRunsFolder,
  openKeptRuns,
  proposalOf,
  readCommand,
  runCommand,
  type Stated,
} from '../../run/index.js';
import { newProposalId } from '../../service/ulid.js';
import { tell } from '../terminal/output.js';
import { readJson } from '../terminal/read-input.js';

/** What was given on the command line, before `--`. */
export interface RunFlags extends Omit<Stated, 'base' | 'budget' | 'mandate' | 'adapter'> {
  proposal?: string | undefined;
  budget?: string | undefined;
  mandate?: string | undefined;
  fail: string;
  wait: boolean;
  timeout?: number | undefined;
  patience: number;
}

/**
 * Runs a command if the gate allows it, and reports how it ended.
 * @returns the exit code: that of the command if it ran
 * @throws {BylawError} before anything is proposed: AG-RUN-001 to -003, AG-SCH-001, -002, -004, `usage`, and all that reading files throws
 */
export async function runGated(connection: Connection, words: readonly string[], flags: RunFlags): Promise<number> {
  if (process.platform === 'win32')
    throw new BylawError('usage', '`bylaw run` does not work on Windows yet.', { hint: 'Use `bylaw propose`.' });
  const command = readCommand(words, { cwd: process.cwd(), path: process.env.PATH });
  const propose = await proposer(connection, command, flags);
  const kept = await openKeptRuns(keptRunsFolder(process.env), subjectOf(connection, propose('any').value));
  const permission = await askPermission({
    connection,
    kept,
    propose: () => {
      const { envelope, text } = propose(newProposalId(connection.now()));
      return { envelope, body: text };
    },
    // The flag has two options.
    fail: flags.fail as FailMode,
    patienceMs: flags.patience * 1000,
    waitMs: flags.wait ? (flags.timeout ?? Number.POSITIVE_INFINITY) * 1000 : 0,
    tell,
  });
  if (permission.kind === 'stopped') {
    tell(permission.text);
    return permission.exit;
  }
  if (permission.kind === 'unguarded') tell(`${permission.why} --fail open: the command runs without a decision and without evidence.`);
  return runAndReport(connection, command, permission.kind === 'allowed' ? permission.proposalId : undefined, flags.patience * 1000);
}

/** Makes proposals of one command that differ only in their ids. */
async function proposer(connection: Connection, command: Command, flags: RunFlags) {
  const read = async (file: string | undefined): Promise<Json | undefined> => {
    if (file === '-') throw new BylawError('usage', 'Standard input belongs to the command.', { hint: 'Pass a file instead of -.' });
    return file === undefined ? undefined : readJson(file);
  };
  const [base, budget, mandate] = await Promise.all([flags.proposal, flags.budget, flags.mandate].map(read));
  if (base !== undefined && !isJsonObject(base)) throw gateError('AG-SCH-002', `${flags.proposal}: the document must be an object.`);
  const stated: Stated = { ...flags, adapter: connection.identity?.adapterId, base, budget, mandate };
  return (id: string) => {
    const envelope = proposalOf(id, command, stated, { principal: currentUser(), environment: 'local' });
    return { envelope, ...bodyOf(envelope) };
  };
}

/** A container may run as a user without a name. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

/** All that must be equal for an earlier proposal to be continued; `value` holds the placeholder for the id. */
function subjectOf({ url, identity }: Connection, value: Json): JsonObject {
  return { v: 1, url, adapter: identity?.adapterId ?? null, proposal: value };
}

async function runAndReport(connection: Connection, command: Command, proposalId: string | undefined, patienceMs: number): Promise<number> {
  const signals = catchSignals();
  try {
    const ended = await runCommand(command, { env: environmentOf(connection), signals, clock: systemClock });
    const stopped = new AbortController();
    signals.pass(() => stopped.abort());
    const recorded = proposalId === undefined || (await report(connection, proposalId, ended.report, patienceMs, stopped.signal));
    if (ended.started) return ended.exitCode === 0 && !recorded ? EXITS.unreported : ended.exitCode;
    tell(`${ended.report.message} The command did not run.`);
    return ended.signal === null ? EXITS.unstarted : exitCodeOf(ended.signal);
  } finally {
    signals.release();
  }
}

/** Retries as `result` does. @param stop ends the retries, not the attempt under way */
async function report(connection: Connection, id: string, result: ResultReport, patienceMs: number, stop: AbortSignal): Promise<boolean> {
  const stoppable: Connection = { ...connection, wait: (ms) => setTimeout(ms, undefined, { signal: stop }) };
  const reported = await reportResult(stoppable, id, JSON.stringify(result), patienceMs).catch((error: unknown) => {
    if (stop.aborted) return { kind: 'unavailable', last: 'interrupted' } as const;
    throw error;
  });
  if (reported.kind === 'recorded') return true;
  const why = reported.kind === 'unavailable' ? reported.last : `the gate answered with status ${reported.status}`;
  const code = result.exit_code === undefined ? '' : ` --exit-code ${result.exit_code}`;
  tell(`The result of the command was not recorded: ${why}. Report it with: bylaw result ${id} --status ${result.status}${code}`);
  return false;
}

/** A command must not be able to sign requests as the adapter that guards it. */
function environmentOf({ identity }: Connection): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== identity?.secret));
}
