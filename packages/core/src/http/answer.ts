import type { IncomingMessage, ServerResponse } from 'node:http';
import { BylawError } from '../errors.js';
import { describeError, type Log } from '../log.js';
import { requestCheck } from '../request-check.js';
import { type BodyBudget, ClientGone, checkAnnouncedLength, readBody } from './body.js';
import { isLoopbackHostHeader } from './host.js';
import { negotiate } from './negotiate.js';
import { HttpProblem, PROBLEMS, type ProblemCode, problem } from './problems.js';
import { queryParser } from './query.js';
import type { HttpRequest, HttpResponse, RequestHead, Route } from './route.js';
import type { RouteMatch, Router } from './router.js';
import { problemResponse, send } from './send.js';
import { parseTarget } from './target.js';

/** What the answering of requests needs to know. */
export interface AnswerOptions {
  router: Router;
  log: Log;
  problemsUrl: string;
  /** UUID of a new request. */
  newRequestId: () => string;
  /** Answers the id of a key, or undefined; absent = no key is configured and `api-key` routes are open. */
  apiKey?: (presented: string) => string | undefined;
  /** Paths that need no key although their route asks for one. */
  openPaths: ReadonlySet<string>;
  /** Refuse requests whose Host is not this machine's loopback. */
  loopbackHostOnly: boolean;
  maxBodyBytes: number;
  budget: BodyBudget;
  stallMs: number;
  /** Whether the server is shutting down. */
  closing: () => boolean;
}

/** Everything below it needs a key, known path or not, so that without one nothing can be learnt of what is installed. */
const KEYED_PREFIX = '/api/v1';

/** Makes the function that answers every request: check the head, read the body, call the handler, send, log. */
export function answerer(options: AnswerOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  // Made now, for compiling a schema on the first request would hold up the others.
  const checks = new Map(options.router.routes.map((route) => [route, routeChecks(route)]));
  return async (request, response) => {
    const id = options.newRequestId();
    const start = performance.now();
    const trace: Trace = { bytesIn: 0 };
    const answer = await respond(request, response, id, trace, options, checks).catch((error) => toAnswer(error, id, options));
    const bytesOut = answer && (await sendSafely(request, response, answer, id, options));
    options.budget.give(trace.bytesIn);
    options.log.info(
      {
        request_id: id,
        method: trace.route ? request.method : undefined,
        route: trace.route?.path,
        status: answer?.status ?? 499,
        duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
        bytes_in: trace.bytesIn,
        bytes_out: bytesOut ?? 0,
        key: trace.keyId,
      },
      answer ? 'request' : 'client went away',
    );
  };
}

/** What is learnt of a request on the way, for the log and for giving its memory back. */
interface Trace {
  route?: Route;
  keyId?: string | undefined;
  bytesIn: number;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  trace: Trace,
  options: AnswerOptions,
  checks: ReadonlyMap<Route, RouteChecks>,
): Promise<HttpResponse> {
  if (options.loopbackHostOnly && !isLoopbackHostHeader(request.headers.host))
    throw problem('host-not-allowed', {
      detail: 'A server without API keys answers only under a loopback name such as localhost or 127.0.0.1.',
    });
  const { path, query } = parseTarget(request.url ?? '');
  const match = options.router.find(request.method ?? '', path);
  trace.keyId = authenticate(match, path, request, options);
  const { route, params } = foundRoute(match);
  trace.route = route;
  const own = checks.get(route) ?? routeChecks(route);
  if (own.params(params).length > 0) throw problem('not-found');
  negotiate(route, request);
  const maxBytes = route.maxBodyBytes ?? options.maxBodyBytes;
  if (route.body) checkAnnouncedLength(request, maxBytes);
  const head: RequestHead = {
    id,
    method: route.method,
    path,
    params,
    query: own.query(query),
    headers: request.headers,
    keyId: trace.keyId,
    signal: abortedWith(response),
    raw: request,
  };
  await route.admit?.(head);
  const body = route.body ? await readWanted(request, response, maxBytes, options.budget) : new Uint8Array(0);
  trace.bytesIn = body.length;
  const whole: HttpRequest = { ...head, body };
  return route.handler(whole);
}

function authenticate(match: RouteMatch, path: string, request: IncomingMessage, options: AnswerOptions): string | undefined {
  const auth =
    match.kind === 'found' ? match.route.auth : path === KEYED_PREFIX || path.startsWith(`${KEYED_PREFIX}/`) ? 'api-key' : 'open';
  if (auth !== 'api-key' || !options.apiKey || options.openPaths.has(path)) return undefined;
  const presented = request.headers['x-api-key'];
  const keyId = options.apiKey(typeof presented === 'string' ? presented : '');
  if (keyId !== undefined) return keyId;
  throw problem('unauthenticated', {
    detail: 'Send a valid key in the header X-API-Key.',
    headers: { 'WWW-Authenticate': 'X-API-Key realm="bylaw"' },
  });
}

function foundRoute(match: RouteMatch): Extract<RouteMatch, { kind: 'found' }> {
  if (match.kind === 'found') return match;
  if (match.kind === 'unknown') throw problem('not-found');
  throw problem('method-not-allowed', { detail: `Allowed: ${match.allow.join(', ')}.`, headers: { Allow: match.allow.join(', ') } });
}

/** A client that asked whether to send its body is told so only now, when everything else about the request is in order. */
async function readWanted(request: IncomingMessage, response: ServerResponse, maxBytes: number, budget: BodyBudget) {
  if (request.headers.expect !== undefined) response.writeContinue();
  return readBody(request, maxBytes, budget);
}

interface RouteChecks {
  params: ReturnType<typeof requestCheck>;
  query: ReturnType<typeof queryParser>;
}

function routeChecks(route: Route): RouteChecks {
  const params = requestCheck({ type: 'object', properties: route.params ?? {} });
  return { params, query: queryParser(route) };
}

function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

/** The answer to whatever was thrown; undefined when there is nobody to answer. */
function toAnswer(error: unknown, id: string, options: AnswerOptions): HttpResponse | undefined {
  if (error instanceof ClientGone) return undefined;
  const known = asProblem(error);
  if (!known) options.log.error({ request_id: id, ...describeError(error) }, 'a request failed: this is a defect');
  return problemResponse(
    known ?? problem('internal', { detail: 'The server log has more under the identifier in `instance`.' }),
    options.problemsUrl,
    id,
  );
}

/** Errors of core about an argument that the client chose; their texts name known values only, never the wrong one. */
const ANSWERABLE: ReadonlySet<string> = new Set<ProblemCode>(['category-unknown', 'severity-unknown', 'rule-unknown', 'framework-unknown']);

function asProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (!(error instanceof BylawError) || !ANSWERABLE.has(error.code)) return undefined;
  const code = Object.keys(PROBLEMS).find((known): known is ProblemCode => known === error.code);
  return code && problem(code, error.hint === undefined ? {} : { detail: error.hint });
}

async function sendSafely(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
  requestId: string,
  options: AnswerOptions,
): Promise<number> {
  try {
    const { stallMs, maxBodyBytes: drainBytes } = options;
    return await send(request, response, answer, { requestId, lastOfConnection: options.closing(), stallMs, drainBytes });
  } catch (error) {
    options.log.error({ request_id: requestId, ...describeError(error) }, 'an answer could not be sent whole');
    response.destroy();
    return 0;
  }
}
