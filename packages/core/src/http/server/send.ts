import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpProblem, PROBLEM_MEDIA_TYPE, problemDocument } from '../problems.js';
import type { HttpResponse } from '../route.js';
import { hasBody } from './body.js';

/** On every answer: nothing may be framed, run, cached or guessed to be another type. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function problemResponse(problem: HttpProblem, problemsUrl: string, requestId: string): HttpResponse {
  return {
    status: problem.kind.status,
    headers: problem.options.headers ?? {},
    mediaType: PROBLEM_MEDIA_TYPE,
    body: `${JSON.stringify(problemDocument(problem, problemsUrl, requestId))}\n`,
  };
}

export interface SendOptions {
  requestId: string;
  /** Tell the client to open a new connection for its next request. */
  lastOfConnection: boolean;
  /** Milliseconds without progress after which a client that does not read is cut off. */
  stallMs: number;
  /** How much of an unread request body is thrown away for the client's sake before the connection is cut, in bytes. */
  drainBytes: number;
}

/**
 * Sends an answer and resolves when it is with the operating system, or the client is gone. A request body that was not read
 * is thrown away for a moment first: cutting the connection at once would take the answer with it.
 * @returns the number of body bytes
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
  options: SendOptions,
): Promise<number> {
  const unread = hasBody(request) && !request.readableEnded;
  const headers = [...headersOf(answer), 'X-SVC-Request-Id', options.requestId, 'Content-Type', answer.mediaType ?? 'application/json'];
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
  if (unread || options.lastOfConnection) headers.push('Connection', 'close');
  const { body } = answer;
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const length = whole ? Buffer.byteLength(body) : 0;
  if (whole) headers.push('Content-Length', String(length));
  response.writeHead(answer.status, headers);
  if (whole && !unread && body.length <= SLICE_BYTES)
    return request.method === 'HEAD'
      ? sendSmall(response, undefined, 0, options.stallMs)
      : sendSmall(response, body, length, options.stallMs);
  const patience = { stallMs: options.stallMs, drainBytes: unread && request.headers.expect === undefined ? options.drainBytes : 0 };
  const parts = typeof body === 'string' ? slices(Buffer.from(body)) : body instanceof Uint8Array ? slices(body) : body;
  return sendBody(request, response, parts, patience);
}

const FIXED_HEADERS = Object.entries(SECURITY_HEADERS).flat();

/** A page may use a style of its own. It names the digest of that in a policy of its own, and a browser keeps to both. */
const PAGE_HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}).flat();

function headersOf({ mediaType, policy }: HttpResponse): readonly string[] {
  if (policy !== undefined) return Object.entries({ ...SECURITY_HEADERS, 'Content-Security-Policy': policy }).flat();
  return mediaType?.startsWith('text/html') ? PAGE_HEADERS : FIXED_HEADERS;
}

/** In one piece with the head; the clock runs only where the operating system does not take it at once. */
async function sendSmall(response: ServerResponse, body: string | Uint8Array | undefined, bytes: number, stallMs: number): Promise<number> {
  if (response.destroyed) return 0;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.end(body, resolve);
    if (!response.socket?.writableLength) return;
    const timer = setTimeout(() => response.destroy(), stallMs);
    response.once('close', () => clearTimeout(timer));
  });
  return bytes;
}

/** So much must be taken within the time that a stalled client has: 256 KiB in 30 s ends readers slower than 9 kB/s. */
const SLICE_BYTES = 256 * 1024;

function* slices(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += SLICE_BYTES) yield body.subarray(start, start + SLICE_BYTES);
}

async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  patience: { stallMs: number; drainBytes: number },
): Promise<number> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  const taken = (what: Promise<unknown>) => within(patience.stallMs, Promise.race([what, gone]), () => response.destroy());
  let bytes = 0;
  if (request.method !== 'HEAD')
    for await (const chunk of body) {
      if (response.destroyed) return bytes;
      bytes += chunk.length;
      if (!response.write(chunk)) await taken(once(response, 'drain'));
    }
  if (patience.drainBytes > 0) {
    response.flushHeaders();
    await drain(request, patience.drainBytes);
  }
  if (!response.destroyed) await taken(new Promise<void>((done) => response.end(() => done())));
  return bytes;
}

/** Waits, and gives up with `cut` when it takes too long or fails. */
async function within(ms: number, wait: Promise<unknown>, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, ms);
  await wait.catch(cut);
  clearTimeout(timer);
}

const DRAIN_MS = 1000;

/** Reads on without keeping anything, until the body ends, the client goes, or the patience is over. */
function drain(request: IncomingMessage, maxBytes: number): Promise<void> {
  return new Promise((resolve) => {
    let left = maxBytes;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', stop).off('close', stop);
      resolve();
    };
    const onData = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stop();
    };
    const timer = setTimeout(stop, DRAIN_MS);
    request.on('data', onData).on('end', stop).on('close', stop).on('error', stop);
    request.resume();
  });
}
