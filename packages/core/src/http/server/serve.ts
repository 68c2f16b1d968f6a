import { constants, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '../../log.js';
import { type ApiKey, apiKeyCheck } from '../api-keys.js';
import { isLoopbackHost } from '../host.js';
import { problem } from '../problems.js';
import type { Router } from '../router.js';
import { answerer } from './answer.js';
import { bodyBudget } from './body.js';
import { closeServer, refuse, trackConnections } from './connections.js';
import { problemResponse, send } from './send.js';

export interface HttpLimits {
  /** Bytes of one body, where the route sets no other. */
  maxBodyBytes: number;
  /** Bytes of all bodies that are held at one time. */
  maxHeldBytes: number;
  maxConnections: number;
  maxHeaderBytes: number;
  /** Milliseconds from the start of a request to the end of its headers. */
  headersMs: number;
  /** Milliseconds from the start of a request to the end of its body. */
  requestMs: number;
  /** Milliseconds that an idle connection is kept. */
  idleMs: number;
  /** Milliseconds without progress after which a client that does not read its answer is cut off. */
  stallMs: number;
  /** Milliseconds that a shutdown waits for requests that were accepted. */
  shutdownMs: number;
  /** Milliseconds between two looks for connections over their time. */
  checkMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxHeldBytes: 256 * 1024 * 1024,
  maxConnections: 1024,
  maxHeaderBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 10_000,
  stallMs: 30_000,
  shutdownMs: 30_000,
  checkMs: 1000,
};

export interface HttpServerOptions {
  router: Router;
  host: string;
  /** 0 = any free port. */
  port: number;
  log: Log;
  problemsUrl: string;
  /** Without any, `api-key` routes are open, and on a loopback address the Host header must be a loopback name. */
  keys: readonly ApiKey[];
  openPaths?: readonly string[];
  limits?: Partial<HttpLimits>;
  /** Absent = plain HTTP. */
  tls?: ServerTls;
  newRequestId?: () => string;
}

/** PEM texts. */
export interface ServerTls {
  cert: string;
  key: string;
  /** Authorities of client certificates. If given, the server requests a certificate from each client; a client without one is a stranger and is served all the same. */
  clientCa?: string;
}

export interface RunningServer {
  /** `http://127.0.0.1:8000`, with the port that was really taken. */
  url: string;
  /** Takes new certificates for the connections to come. */
  setTls(tls: ServerTls): void;
  /**
   * Stops accepting, lets the requests that were accepted finish, and resolves when every connection is closed: at the latest
   * after `shutdownMs`, when what is left is cut.
   */
  close(): Promise<void>;
}

/**
 * Starts the server and resolves when it accepts connections.
 * @throws the error of `listen` (EADDRINUSE, EACCES, …)
 */
export async function serveHttp(options: HttpServerOptions): Promise<RunningServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const newRequestId = options.newRequestId ?? randomUUID;
  let closing = false;
  const answer = answerer({
    router: options.router,
    log: options.log,
    problemsUrl: options.problemsUrl,
    newRequestId,
    ...(options.keys.length > 0 && { apiKey: apiKeyCheck(options.keys) }),
    openPaths: new Set(options.openPaths),
    loopbackHostOnly: options.keys.length === 0 && isLoopbackHost(options.host),
    maxBodyBytes: limits.maxBodyBytes,
    budget: bodyBudget(limits.maxHeldBytes),
    stallMs: limits.stallMs,
    closing: () => closing,
  });

  const server = createServer(limits, options.tls);
  const connections = trackConnections(server);
  const handle = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = newRequestId();
    const refusal = problemResponse(problem('expectation-failed'), options.problemsUrl, id);
    void send(request, response, refusal, { requestId: id, lastOfConnection: true, stallMs: limits.stallMs, drainBytes: 0 });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const id = newRequestId();
    const status = refuse(error, socket, connections, options.problemsUrl, id);
    if (status !== undefined) options.log.info({ request_id: id, status, reason: error.code }, 'connection refused');
  });

  await listen(server, options.host, options.port);
  return {
    url: urlOf(server, options),
    setTls: (tls) => {
      if (server instanceof HttpsServer) server.setSecureContext(contextOf(tls));
    },
    close: () => {
      closing = true;
      return closeServer(server, connections, limits.shutdownMs);
    },
  };
}

function createServer(limits: HttpLimits, tls: ServerTls | undefined): Server | HttpsServer {
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    requireHostHeader: true,
    noDelay: true,
  };
  const server = tls
    ? createHttpsServer({
        ...options,
        ...contextOf(tls),
        minVersion: 'TLSv1.2',
        handshakeTimeout: limits.headersMs,
        ...(tls.clientCa !== undefined && { requestCert: true, rejectUnauthorized: false }),
      })
    : createHttpServer(options);
  server.maxConnections = limits.maxConnections;
  server.maxHeadersCount = 100;
  return server;
}

function contextOf({ cert, key, clientCa }: ServerTls): SecureContextOptions {
  if (clientCa === undefined) return { cert, key };
  // A session that is taken up again brings its verdict on the client with it, also when its authority is no longer one of ours.
  return { cert, key, ca: clientCa, secureOptions: constants.SSL_OP_NO_TICKET };
}

function listen(server: Server | HttpsServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server | HttpsServer, options: HttpServerOptions): string {
  // A server that listens on a host and a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return `${options.tls ? 'https' : 'http'}://${host}:${port}`;
}
