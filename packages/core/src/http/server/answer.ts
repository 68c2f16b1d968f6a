import type { IncomingMessage, ServerResponse } from 'node:http';
import { BylawError, isSelectionError } from '../../errors.js';
import { describeError, type Log } from '../../log.js';
import { requestCheck } from '../../request-check.js';
import { isLoopbackHostHeader } from '../host.js';
import { negotiator } from '../negotiate.js';
import { codeOf, HttpProblem, notRoutable, problem } from '../problems.js';
import { queryParser } from '../query.js';
import type { HttpResponse, Route } from '../route.js';
import type { RouteMatch, Router } from '../router.js';
import { type BodyBudget, ClientGone, checkAnnouncedLength, countedBytes, readBody } from './body.js';
import { clientOf } from './client.js';
import { Incoming } from './incoming.js';
import { problemResponse, send } from './send.js';
import { badTarget, parseTarget } from './target.js';

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
    const trace: Trace = { route: undefined, found: false, keyId: undefined, address: request.socket.remoteAddress, bytesIn: 0 };
    const answer = await respond(request, response, id, trace, options, checks).catch((error) => toAnswer(error, id, trace, options));
    if (answer) trace.route?.observe?.(answer.status, answer.code);
    const bytesOut = answer && (await sendSafely(request, response, answer, id, options));
    options.budget.give(countedBytes(trace.bytesIn), clientOf(trace.keyId, trace.address));
    options.log.info(
      {
        request_id: id,
        method: trace.found ? request.method : undefined,
        route: trace.found ? trace.route?.path : undefined,
        status: answer?.status ?? 499,
        code: answer?.code,
        duration_ms: Math.round((performance.now() - start) * 1000) / 1000,
        bytes_in: trace.bytesIn,
        bytes_out: bytesOut ?? 0,
        key: trace.keyId,
      },
      answer ? 'request' : 'client disconnected',
    );
  };
}

/** What is learnt of a request on the way, for the log, for counting, and for giving its memory back. */
interface Trace {
  /** The route, or one with the same path. */
  route: Route | undefined;
  /** Whether the method is that of the route, too. */
  found: boolean;
  keyId: string | undefined;
  /** Of the client; kept, because a closed socket no longer has it. */
  address: string | undefined;
  bytesIn: number;
}

/** An answer; with the code of the problem, where it is one. */
type Answer = HttpResponse & { code?: string | undefined };

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  trace: Trace,
  options: AnswerOptions,
  checks: ReadonlyMap<Route, RouteChecks>,
): Promise<Answer> {
  const { path, query, ambiguous } = parseTarget(request.url ?? '');
  const match = ambiguous ? noRoute(path) : options.router.find(request.method ?? '', path);
  if (match.kind === 'unknown' && !isKeyed(path)) throw notRoutable();
  if (match.kind !== 'unknown') trace.route = match.route;
  if (options.loopbackHostOnly && trace.route?.auth !== 'own') checkHost(request);
  trace.keyId = authenticate(match, path, request, options);
  const { route, params } = foundRoute(match);
  trace.found = true;
  const own = checks.get(route) ?? routeChecks(route);
  if (own.params !== undefined && own.params(params).length > 0) throw problem('not-found');
  own.negotiate(request.headers);
  const maxBytes = route.maxBodyBytes ?? options.maxBodyBytes;
  const client = clientOf(trace.keyId, trace.address);
  const incoming = new Incoming(id, route.method, path, params, trace.keyId, client, request, response);
  const admitted = route.admit?.(incoming);
  if (admitted) await admitted;
  if (route.body) checkAnnouncedLength(request, maxBytes);
  // Where the body authenticates the request, the query comes last.
  if (!route.verify) incoming.query = own.query(query);
  if (route.body) {
    incoming.body = await readWanted(request, response, maxBytes, options.budget, client);
    trace.bytesIn = incoming.body.length;
  }
  if (route.verify) {
    const verified = route.verify(incoming, incoming.body);
    if (verified) await verified;
    incoming.query = own.query(query);
  }
  return route.handler(incoming);
}

function noRoute(path: string): RouteMatch {
  if (isKeyed(path)) throw badTarget('The path must not contain percent-encoding, empty segments, dot segments or backslashes.');
  return { kind: 'unknown' };
}

function isKeyed(path: string): boolean {
  return path === KEYED_PREFIX || path.startsWith(`${KEYED_PREFIX}/`);
}

function checkHost(request: IncomingMessage): void {
  if (!isLoopbackHostHeader(request.headers.host))
    throw problem('host-not-allowed', {
      detail: 'A server without API keys accepts only requests to a loopback name, such as localhost or 127.0.0.1.',
    });
}

function authenticate(match: RouteMatch, path: string, request: IncomingMessage, options: AnswerOptions): string | undefined {
  const auth = match.kind === 'found' ? match.route.auth : isKeyed(path) ? 'api-key' : 'open';
  const own = match.kind === 'found' ? match.route.credentials : undefined;
  if (auth !== 'api-key' || !(options.apiKey || own) || options.openPaths.has(path)) return undefined;
  const presented = request.headers['x-api-key'];
  const keyId = options.apiKey?.(typeof presented === 'string' ? presented : '') ?? own?.check(request);
  if (keyId !== undefined) return keyId;
  throw problem('unauthenticated', {
    detail: own?.hint ?? 'Send a valid key in the X-API-Key header.',
    headers: { 'WWW-Authenticate': 'X-API-Key realm="bylaw"' },
  });
}

function foundRoute(match: RouteMatch): Extract<RouteMatch, { kind: 'found' }> {
  if (match.kind === 'found') return match;
  if (match.kind === 'unknown') throw problem('not-found');
  throw problem('method-not-allowed', { detail: `Allowed: ${match.allow.join(', ')}.`, headers: { Allow: match.allow.join(', ') } });
}

/** A client that asked whether to send its body is told so only now, when everything else about the request is in order. */
async function readWanted(request: IncomingMessage, response: ServerResponse, maxBytes: number, budget: BodyBudget, client: string) {
  if (request.headers.expect !== undefined) response.writeContinue();
  return readBody(request, maxBytes, budget, client);
}

interface RouteChecks {
  /** Absent if the route does not have path parameters. */
  params: ReturnType<typeof requestCheck> | undefined;
  query: ReturnType<typeof queryParser>;
  negotiate: ReturnType<typeof negotiator>;
}

function routeChecks(route: Route): RouteChecks {
  return {
    params: route.params && requestCheck({ type: 'object', properties: route.params }),
    query: queryParser(route),
    negotiate: negotiator(route),
  };
}

/** The answer to whatever was thrown; undefined when there is nobody to answer. */
function toAnswer(error: unknown, id: string, { route }: Trace, options: AnswerOptions): Answer | undefined {
  if (error instanceof ClientGone) return undefined;
  const known = asProblem(error);
  if (!known) options.log.error({ request_id: id, ...describeError(error) }, 'a request failed: this is a bug');
  const { kind, options: more } =
    known ?? problem('internal', { detail: 'The server log has details under the identifier in `instance`.' });
  const own = kind.slug === undefined || kind.code !== undefined ? undefined : ownCode(kind.slug, route);
  const coded = own === undefined ? kind : { ...kind, code: own };
  return { ...problemResponse(new HttpProblem(coded, more), options.problemsUrl, id), code: codeOf(coded) };
}

function ownCode(slug: string, route: Route | undefined): string | undefined {
  const codes: { readonly [slug: string]: string } = route?.codes ?? {};
  return Object.hasOwn(codes, slug) ? codes[slug] : undefined;
}

function asProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  if (!(error instanceof BylawError) || !isSelectionError(error.code)) return undefined;
  return problem(error.code, error.hint === undefined ? {} : { detail: error.hint });
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
    // A client that disconnects in the middle of a long answer is not a defect.
    if (!(error instanceof ClientGone))
      options.log.error({ request_id: requestId, ...describeError(error) }, 'a response could not be sent completely');
    response.destroy();
    return 0;
  }
}
