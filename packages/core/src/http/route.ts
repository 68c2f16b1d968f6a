import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ProblemCode, ProblemKind } from './problems.js';

export type JsonSchema = { readonly [keyword: string]: unknown };

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** One route of the server, with all that its OpenAPI entry says. GET routes answer HEAD too. */
export interface Route {
  method: Method;
  /** OpenAPI's form: `/api/v1/rules/{rule_id}`. */
  path: string;
  /** `api-key`: the `X-API-Key` of the configuration. `open`: anyone. `own`: the route's `admit` decides, by its own means. */
  auth: 'api-key' | 'open' | 'own';
  /** `operationId` in camelCase, unique. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** A part of something else, such as a file of a page: left out of the description. */
  hidden?: boolean;
  /** JSON Schema of each path parameter; its `description` is shown. A value that does not fit is answered 404. */
  params?: { readonly [name: string]: JsonSchema };
  /** JSON Schema of each query parameter, all optional unless listed in `requiredQuery`. */
  query?: { readonly [name: string]: JsonSchema };
  requiredQuery?: readonly string[];
  /** Headers that the route reads by itself, for its description. */
  headers?: { readonly [name: string]: HeaderParameter };
  /** Of an `api-key` route: what it takes in place of a key. Such a route is never open just because no keys are configured. */
  credentials?: Credentials;
  /** OpenAPI security schemes, by name, of what `admit` asks for, or of `credentials`. */
  security?: { readonly [scheme: string]: { readonly [member: string]: unknown } };
  /** JSON Schema of the body. Required for POST, PUT and PATCH; the route itself checks the body against it. */
  body?: JsonSchema;
  /** Inputs for the description: bodies, or values of the parameters. */
  examples?: readonly { readonly summary: string; readonly input: object }[];
  /** Limit of the body in bytes; absent = the server's. */
  maxBodyBytes?: number;
  /** Success responses by status. */
  responses: { readonly [status: number]: RouteResponse };
  /** Take every `Accept`, also one that names none of the media types of the answers. */
  anyAccept?: boolean;
  /** Problems that this route adds to those that every route can answer. */
  problems?: readonly (ProblemCode | ProblemKind)[];
  /** The `code` of shared problems, where the API of the route has codes of its own. */
  codes?: { readonly [problem in ProblemCode]?: string };
  /** Runs when the media type is checked, and before the length, the query and the body are looked at: throws an HttpProblem to refuse. */
  admit?: (request: RequestHead) => void | Promise<void>;
  /**
   * Runs when the body has been read: throws an HttpProblem to refuse who sent it. Only then is the query checked, so that nobody
   * learns from it who may not ask.
   */
  verify?: (request: RequestHead, body: Uint8Array) => void | Promise<void>;
  /** Told of every answer before it is sent, for counting. `code` is that of a problem. */
  observe?: (status: number, code: string | undefined) => void;
  handler: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
}

export interface Credentials {
  /** The name under which the log knows the caller; undefined for a stranger. */
  check: (request: IncomingMessage) => string | undefined;
  /** For a caller without credentials, in our own words. */
  hint: string;
}

export interface HeaderParameter {
  description: string;
  required: boolean;
  schema: JsonSchema;
}

export interface RouteResponse {
  description: string;
  /** Headers of the answer, apart from those of every answer. */
  headers?: { readonly [name: string]: string };
  schema: JsonSchema;
  /** Absent = `application/json`. */
  mediaType?: string;
  /** Schemas of the answer in further media types. */
  others?: { readonly [mediaType: string]: JsonSchema };
}

export type QueryValue = string | number | boolean | readonly (string | number | boolean)[];

export interface RequestHead {
  /** UUID, also sent back as `X-SVC-Request-Id`. */
  id: string;
  method: Method;
  /** The path as received. */
  path: string;
  params: { readonly [name: string]: string };
  headers: IncomingHttpHeaders;
  /** The id of the API key, where one was checked. */
  keyId: string | undefined;
  /** Whom the request counts for where clients share something: the key, or else the address. */
  client: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Node's own request, for what few routes need: client certificates, repeated headers. */
  raw: IncomingMessage;
}

export interface HttpRequest extends RequestHead {
  /** Checked against the route's schemas. */
  query: { readonly [name: string]: QueryValue };
  /** The whole body, read before the handler runs; empty where the route takes none. The bytes belong to the handler, which may transfer them. */
  body: Uint8Array<ArrayBuffer>;
}

export interface HttpResponse {
  status: number;
  headers?: { readonly [name: string]: string };
  /** Absent = `application/json`. */
  mediaType?: string;
  /** `Content-Security-Policy`, where a page needs more than the usual one allows. */
  policy?: string;
  /** A text is sent as UTF-8. */
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** A JSON answer, one line. For large values made elsewhere pass the finished bytes instead. */
export function json(status: number, value: unknown, headers: { readonly [name: string]: string } = {}): HttpResponse {
  return { status, headers, body: `${JSON.stringify(value)}\n` };
}
