import { spend } from '../budget/budget.js';
import { spendOnParts } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { present, textOrEmpty, path as valueAt } from '../standard/values.js';

/** Paths on a node. Total: what is not a text is the empty path, which lies below nothing. */
export const paths: readonly CelFunction[] = [
  {
    signature: 'baseName(dyn): string',
    summary: 'The part after the last slash.',
    example: 'baseName("/usr/sbin/sshd") == "sshd" && baseName("sh") == "sh"',
    call: (text: unknown) => textOrEmpty(text).replace(/^.*\//s, ''),
  },
  {
    signature: 'cleanPath(dyn): string',
    summary: 'The path without trailing slashes, `.`, `..` and double slashes. /var/run becomes /run; the empty string stays empty.',
    example: 'cleanPath("/var/run//docker.sock/") == "/run/docker.sock" && cleanPath("/etc/../") == "/"',
    call: (text: unknown) => cleanPath(textOrEmpty(text)),
  },
  {
    signature: 'isUnder(dyn, dyn): bool',
    summary:
      'Whether the path is equal to or below the prefix, or one of a list of prefixes. `*` in a prefix matches one segment; a list can contain lists.',
    example: 'isUnder("/etc/ssh/keys", "/etc/ssh") && !isUnder("/etcd", "/etc") && isUnder("/a/b/c/d", ["/x", "/a/*/c"])',
    call: (text: unknown, prefixes: unknown) => {
      const path = cleanPath(textOrEmpty(text));
      const given = present(prefixes);
      if (Array.isArray(given)) spend(given.length * PER_PREFIX);
      return path !== '' && cleanPaths(given).some((prefix) => liesUnder(path, prefix));
    },
  },
  {
    signature: 'isAbove(dyn, dyn): bool',
    summary:
      'Whether the path is a directory that contains the other path, or one of a list of paths. The root directory does not count. `*` in the other path matches one segment; a list can contain lists.',
    example:
      'isAbove("/var/lib", "/var/lib/etcd") && isAbove("/a/b", ["/x", "/a/*/c"]) && !isAbove("/etc", "/etc") && !isAbove("/", "/etc")',
    call: (text: unknown, paths: unknown) => {
      const directory = cleanPath(textOrEmpty(text));
      return directory !== '' && directory !== '/' && cleanPaths(present(paths)).some((path) => liesAbove(directory, path));
    },
  },
  {
    signature: 'hostPathOf(dyn): string',
    summary: 'The cleaned path (see cleanPath) of a hostPath volume, or the empty string.',
    example: 'hostPathOf({"name": "v", "hostPath": {"path": "/proc/"}}) == "/proc" && hostPathOf({"emptyDir": {}}) == ""',
    call: (volume: unknown) => cleanPath(textOrEmpty(valueAt(present(volume), 'hostPath', 'path'))),
  },
];

/** Steps of cleaning a prefix and comparing it. */
const PER_PREFIX = 50;

/** The paths of rules, and the few that documents have, over and over. */
const cleaned = new Map<string, string>();
const MAX_REMEMBERED = 5_000;
const MAX_REMEMBERED_LENGTH = 300;

/** The lists of prefixes are in rules and settings: the same few for every path. */
const cleanedLists = new WeakMap<readonly unknown[], readonly string[]>();

function cleanPaths(prefixes: unknown): readonly string[] {
  if (!Array.isArray(prefixes)) return [cleanPath(textOrEmpty(prefixes))];
  const known = cleanedLists.get(prefixes) ?? prefixes.flat().map((prefix) => cleanPath(textOrEmpty(prefix)));
  cleanedLists.set(prefixes, known);
  return known;
}

export function cleanPath(text: string): string {
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  if (text.length > MAX_REMEMBERED_LENGTH) spendOnParts(text);
  const path = clean(text);
  if (cleaned.size >= MAX_REMEMBERED) cleaned.clear();
  if (text.length <= MAX_REMEMBERED_LENGTH) cleaned.set(text, path);
  return path;
}

/** Lexically: the node's symbolic links are unknown, but for /var/run, which is one on every distribution. */
function clean(text: string): string {
  if (text === '') return '';
  const kept: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (segment !== '..' || !text.startsWith('/')) kept.push(segment);
  }
  const path = (text.startsWith('/') ? '/' : '') + kept.join('/');
  return path === '/var/run' || path.startsWith('/var/run/') ? path.slice('/var'.length) : path;
}

function liesUnder(path: string, prefix: string): boolean {
  if (prefix === '') return false;
  if (prefix === '/') return path.startsWith('/');
  if (!prefix.includes('*')) return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
  spendOnParts(path);
  const segments = path.split('/');
  const wanted = prefix.split('/');
  return wanted.length <= segments.length && wanted.every((segment, index) => segment === '*' || segment === segments[index]);
}

function liesAbove(directory: string, path: string): boolean {
  const segments = directory.split('/');
  const wanted = path.split('/');
  return segments.length < wanted.length && segments.every((segment, index) => wanted[index] === '*' || wanted[index] === segment);
}
