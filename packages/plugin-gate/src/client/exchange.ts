import { type AdapterIdentity, type Answer, headersFor } from './request.js';

/** Where the gate is, and how it is reached. All that differs between a program and a test comes in here. */
export interface Connection {
  /** Without a slash at its end. */
  url: string;
  /** Absent: requests are not signed, as for a server in dev mode. */
  identity?: AdapterIdentity;
  now: () => Date;
  /** Waits; rejects when it is told to stop. */
  wait: (ms: number) => Promise<void>;
  /** Milliseconds after which one attempt is given up. */
  attemptMs: number;
}

/** Bytes of an answer that are read at most: a proposal is at most 64 KiB, and its answer repeats it once. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends one request once.
 * @returns what was answered, or `lost`: nobody can say whether the request was carried out
 */
export async function exchange(connection: Connection, method: 'GET' | 'POST', path: string, body?: string): Promise<Answer | 'lost'> {
  const signal = AbortSignal.timeout(connection.attemptMs);
  try {
    const response = await fetch(connection.url + path, {
      method,
      headers: headersFor(connection.identity, { method, target: path, at: connection.now(), ...(body !== undefined && { body }) }),
      redirect: 'error',
      signal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, retryAfterMs: retryAfter(response.headers), body: await bodyOf(response) };
  } catch {
    return 'lost';
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError('the answer is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined; // a proxy's page, say: the status alone must do
  }
}

function retryAfter(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return /^[0-9]{1,5}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
