import { isIPv4, isIPv6 } from 'node:net';

/** Whether an address or name to bind to is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIPv4(name)) return name.startsWith('127.');
  return isIPv6(name) && new URL(`http://[${name}]`).hostname === '[::1]';
}

/**
 * Whether a Host header names this machine's loopback interface. A page of a foreign site whose name was made to point at
 * 127.0.0.1 (DNS rebinding) still sends its own name here.
 */
export function isLoopbackHostHeader(header: string | undefined): boolean {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+))(?::[0-9]{1,5})?$/.exec(header ?? '');
  const host = match?.[1] ?? match?.[2];
  return host !== undefined && isLoopbackHost(host);
}
