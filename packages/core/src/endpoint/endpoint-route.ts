import {
  HttpProblem,
  type HttpResponse,
  type JsonSchema,
  type ProblemCode,
  type ProblemKind,
  preferredType,
  problem,
  type Route,
} from '../http/index.js';
import { type OperationError, type ThreadAnswer, wholeBody } from '../operation/index.js';
import { answerEndpoint } from './answer-endpoint.js';
import type { AnyEndpoint, Endpoint, EndpointProblem } from './endpoint.js';
import type { RespondingEndpoint } from './responding-endpoint.js';
import type { Services } from './services.js';

/** The route of an endpoint. */
export function endpointRoute(endpoint: AnyEndpoint, services: Services): Route {
  return 'respond' in endpoint ? respondingRoute(endpoint, services) : answeringRoute(endpoint, services);
}

function answeringRoute(endpoint: Endpoint, services: Services): Route {
  const { id, method, path, auth = 'api-key', tag, summary, description, output, formats, examples, problems = [], thread } = endpoint;
  const others = Object.fromEntries(Object.entries(formats ?? {}).map(([mediaType, { schema }]) => [mediaType, schema]));
  return {
    method,
    path,
    auth,
    id,
    tag,
    summary,
    ...(description !== undefined && { description }),
    ...inputOf(endpoint),
    ...(examples && { examples }),
    responses: { 200: { description: output.description, schema: output.schema, ...(formats && { others }) } },
    problems: [
      ...new Set<ProblemCode | ProblemKind>(problems.map((one) => one.problem)),
      ...(thread ? (['evaluation-memory', 'evaluation-timeout', 'overloaded'] as const) : []),
    ],
    handler: handlerOf(endpoint, services),
  };
}

/** Where the members of the input are. */
function inputOf({ method, path, input }: Endpoint): Pick<Route, 'body' | 'params' | 'query' | 'requiredQuery'> {
  if (method === 'POST') return { body: input };
  const members = Object.entries(input.properties as { readonly [name: string]: JsonSchema }); // as InputSchema says
  const params = members.filter(([name]) => path.includes(`{${name}}`));
  const query = members.filter(([name]) => !path.includes(`{${name}}`));
  const required: readonly string[] = (input.required ?? []).filter((name) => !path.includes(`{${name}}`));
  return {
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(required.length > 0 && { requiredQuery: required }),
  };
}

function handlerOf(endpoint: Endpoint, services: Services): Route['handler'] {
  const setup = endpoint.setup?.(services);
  const types: readonly [string, ...string[]] = ['application/json', ...Object.keys(endpoint.formats ?? {})];
  return async ({ method, params, query, body, client, headers: { accept }, signal }) => {
    const format = endpoint.formats?.[preferredType(accept, types)];
    const answer = await answerEndpoint(endpoint, services, {
      body: method === 'POST' ? body : new TextEncoder().encode(JSON.stringify({ ...params, ...query })),
      setup,
      ...(format && { sets: format.sets }),
      client,
      signal,
    });
    const sent = bodyOf(answer, endpoint.problems, services);
    return format ? bareResponse(sent) : { status: 200, body: sent };
  };
}

/** @throws {HttpProblem} */
function bodyOf(
  answer: ThreadAnswer,
  problems: Endpoint['problems'],
  services: Pick<Services, 'log'>,
): Uint8Array | AsyncIterable<Uint8Array> {
  if ('body' in answer) return answer.body;
  if ('error' in answer) throw problemOf(answer.error, problems, services);
  const { code, ...options } = answer.problem;
  throw problem(code, options);
}

/** An error that the endpoint does not declare is a bug. What is wrong with the server goes to its log: the client learns only the kind of problem. */
function problemOf(error: OperationError, problems: readonly EndpointProblem[] = [], { log }: Pick<Services, 'log'>): Error {
  const known = problems.find((one) => one.error === error.code);
  if (!known) return new Error(`a request failed with ${error.code}`);
  const options = known.say?.(error) ?? {};
  const found = typeof known.problem === 'string' ? problem(known.problem, options) : new HttpProblem(known.problem, options);
  if (found.kind.status >= 500) log.warn({ code: error.code, reason: error.message }, 'a request failed');
  return found;
}

async function bareResponse(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<HttpResponse> {
  const whole = await wholeBody(body, Number.POSITIVE_INFINITY);
  // What has formats answers both members.
  const { content_type: mediaType, content } = JSON.parse(new TextDecoder().decode(whole)) as { content_type: string; content: string };
  return { status: 200, mediaType, body: content };
}

/** The route of an endpoint that speaks HTTP itself. */
export function respondingRoute({ auth, respond, ...described }: RespondingEndpoint, services: Services): Route {
  const { summary: _, guard, problems = [], ...shared } = auth;
  return {
    ...described,
    ...shared,
    ...guard(services),
    problems: [...(described.problems ?? []), ...problems],
    handler: (request) => respond(request, services),
  };
}
