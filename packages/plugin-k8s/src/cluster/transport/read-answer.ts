import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A complete answer. `broken`: it says that it is JSON, and is not. `foreign`: it does not even say so. */
export type Answer = { status: number; retryAfter: string | undefined } & (
  | { form: 'json'; value: unknown }
  | { form: 'broken' | 'foreign' | 'too-large' }
);

/** Reads an answer as far as so many bytes, decompressed. Rejects where the connection ends too early. */
export async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<Answer> {
  const head = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
  const text = await readText(response, maxBytes);
  if (text === undefined) return { ...head, form: 'too-large' };
  if (!/^application\/(?:[\w.-]+\+)?json\b/.test(response.headers['content-type'] ?? '')) return { ...head, form: 'foreign' };
  try {
    return { ...head, form: 'json', value: JSON.parse(text) };
  } catch {
    return { ...head, form: 'broken' };
  }
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw TOO_LARGE;
      chunks.push(chunk);
    }
  };
  try {
    if (response.headers['content-encoding'] === 'gzip') await pipeline(response, createGunzip(), collect);
    else await pipeline(response, collect);
  } catch (error) {
    response.destroy();
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const TOO_LARGE = new Error('the answer is too large');
