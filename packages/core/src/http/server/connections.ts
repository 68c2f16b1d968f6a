import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { PROBLEM_MEDIA_TYPE, type ProblemCode, problem, problemDocument } from '../problems.js';
import { SECURITY_HEADERS } from './send.js';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Every open connection, with the requests that still wait for their answer. */
export type Connections = ReadonlyMap<Duplex, ReadonlySet<Exchange>>;

export function trackConnections(server: Server | HttpsServer): Connections {
  const connections = new Map<Duplex, Set<Exchange>>();
  const onConnection = (socket: Duplex) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response };
    const open = connections.get(request.socket);
    open?.add(exchange);
    response.once('close', () => open?.delete(exchange));
  };
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', onConnection);
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  return connections;
}

/**
 * Answers what cannot be parsed as HTTP, or does not arrive in time, on the bare connection, which then ends. Requests that
 * arrived whole before it on the same connection get their answers first.
 * @returns the status of the refusal; undefined when there is nobody to tell
 */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: Connections,
  problemsUrl: string,
  requestId: string,
): number | undefined {
  if (refused.has(socket)) return undefined;
  refused.add(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const refusal = problem(refusalOf(error.code));
  const text = bareAnswer(refusal.kind, JSON.stringify(problemDocument(refusal, problemsUrl, requestId)), requestId);
  const end = () => void socket.end(text, () => socket.destroy());
  const waiting = [...(connections.get(socket) ?? [])].filter(({ request }) => request.complete).at(-1);
  if (waiting) waiting.response.once('close', end);
  else end();
  return refusal.kind.status;
}

/** Node reports every further byte of a connection that it cannot parse; the first report is enough. */
const refused = new WeakSet<Duplex>();

function refusalOf(code: string | undefined): ProblemCode {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request-timeout';
    case 'HPE_HEADER_OVERFLOW':
      return 'headers-too-large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'too-large';
    default:
      return 'bad-http';
  }
}

function bareAnswer(kind: { status: number; title: string }, body: string, requestId: string): string {
  const headers = {
    ...SECURITY_HEADERS,
    'X-SVC-Request-Id': requestId,
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${kind.status} ${kind.title}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Stops accepting, lets requests that wait for an answer have it, and resolves when every connection is closed.
 * @param patienceMs after so many milliseconds what is left is cut
 */
export function closeServer(server: Server | HttpsServer, connections: Connections, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, patienceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const [socket, exchanges] of connections) if (exchanges.size === 0) socket.destroy();
  });
}
