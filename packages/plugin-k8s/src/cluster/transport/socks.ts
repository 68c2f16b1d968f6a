import type { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';

/** Has an agent make its connections by a SOCKS 5 proxy, which looks up the names of servers itself, as with kubectl. */
export async function overSocks(agent: Agent, proxy: URL): Promise<Agent> {
  const { SocksClient } = await import('socks');
  const credentials =
    proxy.username === '' ? {} : { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
  const through = { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || 1080), type: 5, ...credentials } as const;
  agent.createConnection = (options, callback) => {
    const done = callback as ((error: Error | null, stream?: Socket) => void) | undefined; // with an error there is no stream
    const destination = { host: options.host ?? '', port: Number(options.port) };
    SocksClient.createConnection({ proxy: through, command: 'connect', destination }).then(
      // The agent passes its own TLS options on here.
      ({ socket }) => done?.(null, agent instanceof HttpsAgent ? connect({ ...(options as ConnectionOptions), socket }) : socket),
      (error: Error) => done?.(Object.assign(error, { code: 'ERR_PROXY_TUNNEL' })),
    );
    return undefined;
  };
  return agent;
}
