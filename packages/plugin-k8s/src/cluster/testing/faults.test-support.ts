import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An error as the API server writes it: a `Status`. */
export function statusFault(
  code: number,
  reason: string,
  options: { message?: string; retryAfter?: string; metadata?: object } = {},
): Answer {
  const { message = `the server says ${reason}`, retryAfter, metadata = {} } = options;
  return (_, response) => {
    const headers = { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
    response.writeHead(code, headers);
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', message, reason, code }));
  };
}

/** What is in front of many a server: a page to sign in. */
export function htmlFault(code = 200): Answer {
  return (_, response) => void response.writeHead(code, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>');
}

/** Any body as JSON. */
export function bodyFault(body: string | Buffer, headers: { [name: string]: string } = {}): Answer {
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}

/** The connection ends before anything is answered. */
export const resetFault: Answer = (request) => void request.socket.destroy();

/** The connection ends in the middle of the answer. */
export const cutFault: Answer = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"kind":"PodList","items":[', () => request.socket.destroy());
};

/** No answer, ever. */
export const silentFault: Answer = () => {};
