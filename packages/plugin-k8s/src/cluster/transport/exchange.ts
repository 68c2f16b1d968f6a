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

/**
 * Sends one GET. Resolves with the head of the answer; no redirection is followed. Rejects with the error of the connection, or the signal's
 * reason; aborted later, the answer ends as if the connection had.
 */
export function exchange({ server, target, headers, agent, connectMs, idleMs, signal }: Exchange): Promise<IncomingMessage> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const send = server.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send({
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    path: `${server.pathname === '/' ? '' : server.pathname}${target}`,
    headers,
    agent,
  });
  // Node's own option `signal` destroys the connection with an error that nobody hears, just when an answer has come whole: the process dies of it.
  const fail = (reason: unknown) => {
    reject(reason);
    request.destroy();
  };
  const aborted = () => fail(signal.reason);
  const connecting = setTimeout(() => fail(timedOut()), connectMs);
  signal.addEventListener('abort', aborted);
  request.setTimeout(idleMs, () => fail(timedOut()));
  request.once('socket', (socket) => whenConnected(socket, () => clearTimeout(connecting)));
  request.once('response', (response) => {
    clearTimeout(connecting);
    response.on('error', () => {}); // who reads it is told; between two reads nobody is there
    resolve(response);
  });
  request.on('error', reject);
  request.once('close', () => {
    clearTimeout(connecting);
    signal.removeEventListener('abort', aborted);
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

function timedOut(): Error {
  return Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
}
