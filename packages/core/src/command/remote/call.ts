import type { Dispatcher } from 'undici';
import { BylawError } from '../../errors.js';
import { problemError } from './problem-error.js';
import type { RemoteServer } from './server-of.js';

/** Several values are sent as several parameters of the name; an absent one is not sent. */
export type QueryValue = string | number | readonly string[] | undefined;

/** The parts of a call to an endpoint of /api/v1. */
interface CallParts {
  query?: { readonly [name: string]: QueryValue };
  body?: object;
  /** Code of the error that a 404 means. */
  notFound?: string;
  /** What the member `schema` of the answer says; absent where answers do not have one. */
  schema?: string | undefined;
}

/** A server evaluates at most 16 MiB by default: what takes longer than this does not come. */
const TIMEOUT = 300_000;

/** A little less than the longest text that there can be. */
const MAX_ANSWER = 500 * 1024 * 1024;

/**
 * Calls an endpoint of /api/v1. Redirections are not followed: the key goes to the server that the user named, and to no other.
 * @throws {BylawError} `remote-unreachable`; what `problemError` makes of an answer that is not a success
 */
export async function remoteCall<T>(
  server: RemoteServer,
  method: 'GET' | 'POST',
  path: string,
  { query = {}, body, notFound, schema }: CallParts,
): Promise<T> {
  const url = new URL(`${server.url}/api/v1/${path}`);
  for (const [name, values] of Object.entries(query))
    for (const value of [values ?? []].flat()) url.searchParams.append(name, String(value));
  const { statusCode, text } = await send(server, url, {
    method,
    headers: {
      accept: 'application/json, application/problem+json',
      ...(server.key !== undefined && { 'x-api-key': server.key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? JSON.stringify(body) : null,
    headersTimeout: TIMEOUT,
    bodyTimeout: TIMEOUT,
  });
  const value = parse(text);
  if (statusCode === 200 && isAnswer(value, schema)) return value as T; // what our server answers here; see its OpenAPI document
  throw problemError(server, statusCode, value, notFound);
}

/** Whether another program than a server of ours may have answered. */
function isAnswer(value: unknown, schema: string | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return schema === undefined || ('schema' in value && value.schema === schema);
}

async function send(
  server: RemoteServer,
  url: URL,
  options: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>,
): Promise<{ statusCode: number; text: string }> {
  const { request } = await import('undici'); // most commands have no server to call
  try {
    const { statusCode, headers, body } = await request(url, options);
    if (Number(headers['content-length'] ?? 0) > MAX_ANSWER) throw tooLarge();
    return { statusCode, text: await readText(body) };
  } catch (cause) {
    throw new BylawError('remote-unreachable', `The request to the server ${server.url} failed: ${reasonOf(cause)}.`, {
      cause,
      hint: 'Check the address in --remote or SVC_API_URL, and that the server is running. Without --remote and SVC_API_URL, the command runs locally.',
    });
  }
}

/** @throws {Error} for a text that is too long, however it is sent */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): Error {
  return new Error('the response is too large');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return REASONS[code] ?? (cause instanceof Error ? cause.message || code : String(cause));
}

const REASONS: { [code: string]: string } = {
  ECONNREFUSED: 'nothing is listening at this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNRESET: 'the server closed the connection',
  ETIMEDOUT: 'the server took too long to respond',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long to connect',
  UND_ERR_HEADERS_TIMEOUT: 'the server took too long to respond',
  UND_ERR_BODY_TIMEOUT: 'the server stopped in the middle of its response',
  UND_ERR_SOCKET: 'the server closed the connection',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed; set NODE_EXTRA_CA_CERTS to the file of its authority',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate of the server is from an unknown authority; set NODE_EXTRA_CA_CERTS to the file of that authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate of the server is from an unknown authority; set NODE_EXTRA_CA_CERTS to the file of that authority',
};
