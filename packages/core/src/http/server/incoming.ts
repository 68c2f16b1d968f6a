import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, Method, QueryValue } from '../route.js';
import { ClientGone } from './body.js';

const NO_QUERY: { readonly [name: string]: QueryValue } = {};
const NO_BODY = new Uint8Array(0);

/** A request as handlers see it. Its query and its body are put in when they have been checked and read. */
export class Incoming implements HttpRequest {
  query = NO_QUERY;
  body: Uint8Array<ArrayBuffer> = NO_BODY;
  readonly headers: IncomingHttpHeaders;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(
    readonly id: string,
    readonly method: Method,
    readonly path: string,
    readonly params: { readonly [name: string]: string },
    readonly keyId: string | undefined,
    readonly client: string,
    readonly raw: IncomingMessage,
    response: ServerResponse,
  ) {
    this.headers = raw.headers;
    this.#response = response;
  }

  /** Made when it is first asked for: few handlers ask, and it costs more than the rest of a request. */
  get signal(): AbortSignal {
    this.#signal ??= closedSignal(this.#response);
    return this.#signal;
  }
}

function closedSignal(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort(new ClientGone());
  const controller = new AbortController();
  response.once('close', () => controller.abort(new ClientGone()));
  return controller.signal;
}
