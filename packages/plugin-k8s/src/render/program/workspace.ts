import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@bylaw/core/config';
import { uponInterrupt } from './interrupt.js';

/** Does some work with an empty folder of its own, which is gone afterwards, also when the process is interrupted. */
export async function inWorkspace<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bylaw-render-')));
  const takeBack = uponInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    takeBack();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The environment of a renderer: nothing of the user's but what it needs to start. Its homes are empty, so it has no plugins, repositories or
 * credentials; without the network it finds no git either, and every request to another machine goes to a proxy that cannot exist.
 */
export function isolatedEnvironment(folder: string, env: Environment, { network }: { network: boolean }): Record<string, string> {
  const kept = ['SystemRoot', 'SYSTEMROOT', 'windir', ...(network ? NETWORK_VARIABLES : [])];
  const given = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const none = join(folder, 'none');
  return {
    HOME: folder,
    USERPROFILE: folder,
    PATH: none,
    ...Object.fromEntries(TEMPORARY.map((name) => [name, folder])),
    ...Object.fromEntries(HOMES.map((name) => [name, none])),
    HELM_NO_PLUGINS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git',
    ...(network ? {} : { HTTP_PROXY: NO_PROXY_THERE, HTTPS_PROXY: NO_PROXY_THERE }),
    ...Object.fromEntries(given),
  };
}

/** Port 0 is nobody's. */
const NO_PROXY_THERE = 'http://127.0.0.1:0';

const TEMPORARY = ['TMPDIR', 'TMP', 'TEMP'];

const HOMES = [
  'APPDATA',
  'LOCALAPPDATA',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'HELM_CACHE_HOME',
  'HELM_CONFIG_HOME',
  'HELM_DATA_HOME',
  'HELM_PLUGINS',
  'KUSTOMIZE_PLUGIN_HOME',
];

/** What git and HTTP clients need to reach a remote base as the user would. */
const NETWORK_VARIABLES = [
  'PATH',
  'Path',
  'HOME',
  'USERPROFILE',
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
];
