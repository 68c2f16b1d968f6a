import { BlockList, isIP } from 'node:net';
import { k8sError } from '../../error-table.js';
import type { Environment } from '../kubeconfig/index.js';

/**
 * The proxy that the environment names for a server, read as kubectl reads it: `HTTPS_PROXY` or `HTTP_PROXY`, and `NO_PROXY` with domains,
 * addresses and ranges of addresses. This machine itself is never reached by a proxy.
 * @throws {BylawError} `cluster-unreachable` where the variable is not an address
 */
export function proxyOf(server: URL, env: Environment): URL | undefined {
  const variable = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[variable.toLowerCase()] || env[variable];
  const hostname = server.hostname.replace(/^\[|\]$/g, '');
  if (!value || isLoopback(hostname)) return undefined;
  if (exceptions(env).some((entry) => concerns(entry, hostname, server.port || '443'))) return undefined;
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url && ['http:', 'https:', 'socks5:'].includes(url.protocol)) return url;
  throw k8sError('cluster-unreachable', `${variable} must be the address of a proxy.`);
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

function exceptions(env: Environment): string[] {
  const entries = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(',');
  return entries.map((entry) => entry.trim()).filter(Boolean);
}

function concerns(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(entry, hostname);
  const [, name = entry, only] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = (isIP(entry) === 6 ? entry : name).replace(/^\*?\./, '');
  return hostname.endsWith(`.${domain}`) || (hostname === domain && !name.startsWith('.') && !name.startsWith('*'));
}

function isWithin(range: string, address: string): boolean {
  const [network = '', prefix] = range.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(prefix ?? '') || Number(prefix) > (family === 4 ? 32 : 128))
    return false;
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
