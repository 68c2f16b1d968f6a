import { type Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface Exchange {
  server: URL;
  /** Path and query below the server's own path. */
  target: string;
  headers: OutgoingHttpHeaders;
  agent: Agent;
  connectMs: number;
  idleMs: number;
  signal: AbortSignal;
}

/** Sends one GET. Resolves with the head of the answer; no redirection is followed. Rejects with the error of the connection, or the signal's reason. */
export function exchange({ server, target, headers, agent, connectMs, idleMs, signal }: Exchange): Promise<IncomingMessage> {
  const send = server.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  if (signal.aborted) return Promise.reject(signal.reason);
  const request = send({
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    path: `${server.pathname === '/' ? '' : server.pathname}${target}`,
    headers,
    agent,
    signal,
  });
  const connecting = setTimeout(() => request.destroy(timedOut('connect')), connectMs);
  const connected = () => clearTimeout(connecting);
  request.setTimeout(idleMs, () => request.destroy(timedOut('idle')));
  request.once('socket', (socket) => whenConnected(socket, connected));
  request.once('response', (response) => {
    connected();
    resolve(response);
  });
  request.once('error', (error) => {
    connected();
    reject(signal.aborted ? signal.reason : error);
  });
  request.end();
  return promise;
}

/** A socket that is used again, or comes through a proxy, is connected already. */
function whenConnected(socket: Socket, connected: () => void): void {
  const secure = socket instanceof TLSSocket;
  // `alpnProtocol` is null until the handshake is over.
  if (secure ? socket.alpnProtocol === null : socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected);
  else connected();
}

function timedOut(what: 'connect' | 'idle'): Error {
  return Object.assign(new Error(`timed out: ${what}`), { code: 'ETIMEDOUT' });
}
