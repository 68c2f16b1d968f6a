/**
 * Where Node keeps the compiled code of this program. Bytecode runs without being checked against its source, so nobody but the user may
 * write there. Plain JavaScript, as all that runs before the program.
 */
import * as nodeModule from 'node:module';

// As in launcher.js.
const require = nodeModule.createRequire(import.meta.url);
const { lstatSync, mkdirSync, statSync } = require('node:fs');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');

/** Turns the cache on. Without a safe folder, or without a home, the program starts a little slower. */
export function useCompileCache() {
  try {
    const folder = compileCacheFolder({ platform: process.platform, env: process.env, home: homedir() });
    if (folder !== undefined) nodeModule.enableCompileCache(folder);
  } catch {
    // A user without a home has no cache.
  }
}

/**
 * The folder `bylaw/compile` among the caches of a user, created with mode 0700.
 * @param {{ platform: string, env: { readonly [name: string]: string | undefined }, home: string }} user
 * @returns {string | undefined} an absolute path; undefined if there is no such folder that only this user may write to
 */
export function compileCacheFolder({ platform, env, home }) {
  const caches = [fromEnvironment(platform, env), inHome(platform, home)].find((path) => path && isAbsolute(path));
  if (!caches) return undefined;
  try {
    mkdirSync(caches, { recursive: true, mode: 0o700 });
    if (isWindows() || !isWritableBy(statSync(caches), OTHERS)) {
      const folder = join(caches, 'bylaw', 'compile');
      if (isOwnFolder(join(caches, 'bylaw')) && isOwnFolder(folder)) return folder;
    }
  } catch {
    // It cannot be created.
  }
  return undefined;
}

function fromEnvironment(platform, env) {
  if (platform === 'win32') return env.LOCALAPPDATA;
  return platform === 'darwin' ? undefined : env.XDG_CACHE_HOME;
}

function inHome(platform, home) {
  if (home === '' || platform === 'win32') return undefined;
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}

/** Creates a folder unless it exists. A link is not one, wherever it leads. */
function isOwnFolder(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const status = lstatSync(path);
  return status.isDirectory() && (isWindows() || (status.uid === process.getuid() && !isWritableBy(status, GROUP | OTHERS)));
}

const GROUP = 0o020;
const OTHERS = 0o002;

function isWritableBy(status, whom) {
  return (status.mode & whom) !== 0;
}

/** There, files have neither owners nor modes, and the system protects the folders of a user. */
function isWindows() {
  return process.getuid === undefined;
}
