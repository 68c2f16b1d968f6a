import type { IncomingMessage } from 'node:http';
import { plural } from '../../plural.js';
import { problem } from '../problems.js';

/** The bytes of bodies that the server holds at one time, over all connections. One client holds at most half of them. */
export interface BodyBudget {
  /** Takes `bytes` for a client, or answers false when that would go over the limit. */
  take(bytes: number, client: string): boolean;
  give(bytes: number, client: string): void;
}

/** @param limit bytes */
export function bodyBudget(limit: number): BodyBudget {
  let taken = 0;
  const byClient = new Map<string, number>();
  return {
    take: (bytes, client) => {
      const own = (byClient.get(client) ?? 0) + bytes;
      if (taken + bytes > limit || own > limit / 2) return false;
      taken += bytes;
      byClient.set(client, own);
      return true;
    },
    give: (bytes, client) => {
      taken -= bytes;
      const own = (byClient.get(client) ?? 0) - bytes;
      if (own > 0) byClient.set(client, own);
      else byClient.delete(client);
    },
  };
}

/** So much of each body does not count: the number of connections limits it, and small requests come in when large ones fill the budget. */
const FREE_BYTES = 64 * 1024;

/** The bytes of a body that count. */
export function countedBytes(length: number): number {
  return Math.max(0, length - FREE_BYTES);
}

/** The client went away before its request was whole, or before it had its answer: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** A body of which not one byte was read when this is called. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** @throws {HttpProblem} `too-large` when the announced length is over the limit. */
export function checkAnnouncedLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Reads the whole body into memory of its own. Whatever length was announced, reading stops at the first byte over the limit.
 * The caller gives the bytes that count of the returned length back to the budget when it is done with them.
 * @throws {HttpProblem} `too-large`, `overloaded`; {ClientGone} when the connection ends before the body does
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  client: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    await eachChunk(request, (chunk) => {
      if (length + chunk.length > maxBytes) throw tooLarge(maxBytes);
      const more = countedBytes(length + chunk.length) - countedBytes(length);
      if (more > 0 && !budget.take(more, client)) throw overloaded();
      length += chunk.length;
      chunks.push(chunk);
    });
  } catch (error) {
    budget.give(countedBytes(length), client);
    throw error;
  }
  return joined(chunks, length);
}

/** Like `for await`, but a reader that stops leaves the request open, so that it can still be answered. */
function eachChunk(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (end: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      end();
    };
    const onData = (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        request.pause();
        stop(() => reject(error));
      }
    };
    const onEnd = () => stop(resolve);
    const onClose = () => stop(() => reject(new ClientGone()));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** A body must own its block of memory to be transferred to a worker. What comes in one piece nearly always does. */
function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first?.buffer instanceof ArrayBuffer && first.buffer.byteLength === length) return new Uint8Array(first.buffer);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function tooLarge(maxBytes: number) {
  return problem('too-large', { detail: `The limit is ${plural(maxBytes, 'byte')}.` });
}

function overloaded() {
  return problem('overloaded', { detail: 'The server is processing too many requests. Try again.', headers: { 'Retry-After': '1' } });
}
