import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { gateError } from '../error-table.js';
import { canonical, type JsonObject } from '../json/index.js';
import { syncFolder, writePrivateFile } from '../private-file.js';
import { isProposalId } from '../proposal/index.js';

/** A proposal that waits for an approval, kept so that the same command can be run again once it is granted. */
export interface KeptRun {
  proposalId: string;
  approval: string;
}

/**
 * The proposals that this user keeps for one command. Every kept proposal is a file whose name is a keyed digest of all that
 * must be equal, and the id. Nothing of the command itself is stored, and without the key nobody can check a guess.
 */
export interface KeptRuns {
  /** Those of this command, oldest first. */
  find(): Promise<KeptRun[]>;
  /** After it returns, the proposal survives a crash. The oldest ones make room: at most `MAX_KEPT` files are kept. */
  keep(run: KeptRun): Promise<void>;
  /**
   * Takes a proposal away. Of all processes that try, one gets true; after it returns, a crash does not bring it back. Call it
   * before the command starts: a grant is for one use.
   */
  claim(run: KeptRun): Promise<boolean>;
}

const MAX_KEPT = 256;
const KEY_FILE = 'key';
const KEY_BYTES = 32;

/** `$XDG_STATE_HOME/bylaw/runs`, else `~/.local/state/bylaw/runs`. The specification says to ignore a path that is not absolute. */
export function keptRunsFolder(env: { readonly [name: string]: string | undefined }): string {
  const base = env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homedir(), '.local', 'state'), 'bylaw', 'runs');
}

/**
 * Opens the kept proposals of one command. The folder is created with mode 0700, its files with 0600.
 * @param subject all that must be equal: the server, the adapter, and the proposal without its id
 * @throws {BylawError} AG-RUN-003 if the folder cannot be used, or others can use it
 */
export async function openKeptRuns(folder: string, subject: JsonObject): Promise<KeptRuns> {
  return await orUnusable(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    requireOwn(folder, lstatSync(folder), 'folder');
    const prefix = `${createHmac('sha256', await keyIn(folder))
      .update(canonical(subject))
      .digest('hex')}.`;
    return {
      find: () => orUnusable(folder, () => runsIn(folder, prefix)),
      keep: (run) => orUnusable(folder, () => keepIn(folder, prefix, run)),
      claim: (run) => orUnusable(folder, () => claimIn(folder, prefix + run.proposalId)),
    };
  });
}

async function runsIn(folder: string, prefix: string): Promise<KeptRun[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix) && isProposalId(name.slice(prefix.length)));
  const found: (KeptRun & { at: bigint })[] = [];
  for (const name of names) {
    const path = join(folder, name);
    try {
      const { mtimeNs: at, size } = await stat(path, { bigint: true });
      if (size <= MAX_ENTRY_BYTES) found.push({ proposalId: name.slice(prefix.length), approval: await readFile(path, 'utf8'), at });
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error; // another run has just taken it
    }
  }
  found.sort((a, b) => Number(a.at - b.at) || (a.proposalId < b.proposalId ? -1 : 1));
  return found.map(({ proposalId, approval }) => ({ proposalId, approval }));
}

/** An entry is the id of an approval. */
const MAX_ENTRY_BYTES = 256n;

async function keepIn(folder: string, prefix: string, { proposalId, approval }: KeptRun): Promise<void> {
  await makeRoom(folder);
  await writePrivateFile(join(folder, prefix + proposalId), approval);
}

async function claimIn(folder: string, name: string): Promise<boolean> {
  try {
    await unlink(join(folder, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** Drafts that a crash has left count, too. */
async function makeRoom(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== KEY_FILE);
  if (names.length < MAX_KEPT) return;
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  dated.sort((a, b) => a.at - b.at);
  for (const { name } of dated.slice(0, names.length - MAX_KEPT + 1)) await rm(join(folder, name), { force: true });
}

/** The key of this user's digests; the first run makes it. */
async function keyIn(folder: string): Promise<Buffer> {
  const path = join(folder, KEY_FILE);
  try {
    return await readKey(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  try {
    await writePrivateFile(path, randomBytes(KEY_BYTES));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error; // another run has just made it
  }
  return await readKey(path);
}

async function readKey(path: string): Promise<Buffer> {
  requireOwn(path, lstatSync(path), 'file');
  const key = await readFile(path);
  if (key.length === KEY_BYTES) return key;
  throw gateError('AG-RUN-003', `The file ${path} is not a key.`, { hint: 'Remove it. Pending approvals must then be requested again.' });
}

/** Whoever can write here can make a run use another proposal, so nobody else may. */
function requireOwn(path: string, found: Stats, kind: 'folder' | 'file'): void {
  const right = kind === 'folder' ? found.isDirectory() : found.isFile();
  if (right && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw gateError('AG-RUN-003', `The ${kind} ${path} must belong to you and be closed to all other users.`, {
    hint: `Run: chmod ${kind === 'folder' ? '700' : '600'} ${path}`,
  });
}

async function orUnusable<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
    if (code === undefined || code.startsWith('AG-')) throw cause;
    throw gateError('AG-RUN-003', `Cannot read or write the folder ${folder} (${code}).`, {
      cause,
      hint: 'Set XDG_STATE_HOME to a folder that you can write to.',
    });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
