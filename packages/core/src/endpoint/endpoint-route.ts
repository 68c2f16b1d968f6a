import {
  HttpProblem,
  type HttpRequest,
  type HttpResponse,
  type JsonSchema,
  json,
  type ProblemCode,
  type ProblemKind,
  parseJsonBody,
  preferredType,
  problem,
  type Route,
  requestCheck,
} from '../http/index.js';
import type { OperationError, ThreadAnswer } from '../operation/index.js';
import { answerHere, answerOnThread } from './answer-endpoint.js';
import type { Endpoint, EndpointProblem } from './endpoint.js';
import type { Services } from './services.js';

/** The route of an endpoint, for the holder of an API key. */
export function endpointRoute(endpoint: Endpoint, services: Services): Route {
  const { id, method, path, tag, summary, description, output, formats, problems = [], thread } = endpoint;
  const setup = endpoint.setup?.(services);
  const others = Object.fromEntries(Object.entries(formats ?? {}).map(([mediaType, { schema }]) => [mediaType, schema]));
  return {
    method,
    path,
    auth: 'api-key',
    id,
    tag,
    summary,
    ...(description !== undefined && { description }),
    ...inputOf(endpoint),
    responses: { 200: { description: output.description, schema: output.schema, ...(formats && { others }) } },
    problems: [
      ...new Set<ProblemCode | ProblemKind>(problems.map((one) => one.problem)),
      ...(thread ? (['evaluation-memory', 'evaluation-timeout', 'overloaded'] as const) : []),
    ],
    handler: thread ? onThread(endpoint, thread, services, setup) : here(endpoint, setup),
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

function onThread(endpoint: Endpoint, thread: { module: string }, services: Services, setup: unknown): Route['handler'] {
  const types: readonly [string, ...string[]] = ['application/json', ...Object.keys(endpoint.formats ?? {})];
  return async ({ method, params, query, body, client, headers: { accept }, signal }) => {
    const format = endpoint.formats?.[preferredType(accept, types)];
    const answer = await answerOnThread(endpoint, thread, services, {
      body: method === 'POST' ? body : new TextEncoder().encode(JSON.stringify({ ...params, ...query })),
      setup,
      ...(format && { sets: format.sets }),
      client,
      signal,
    });
    const whole = bodyOf(answer, endpoint.problems);
    return format ? bareResponse(whole) : { status: 200, body: whole };
  };
}

function here(endpoint: Endpoint, setup: unknown): Route['handler'] {
  const check = requestCheck(endpoint.input);
  const inputFrom = ({ method, params, query, body }: HttpRequest) =>
    method === 'POST' ? parseJsonBody(body, check) : { ...params, ...query };
  return async (request) => {
    // It has passed the schema of the input.
    const answered = await answerHere(endpoint, inputFrom(request) as object, setup);
    if ('error' in answered) throw problemOf(answered.error, endpoint.problems);
    return json(200, answered.answer);
  };
}

/** @throws {HttpProblem} */
function bodyOf(answer: ThreadAnswer, problems: Endpoint['problems']): Uint8Array {
  if ('body' in answer) return answer.body;
  if ('error' in answer) throw problemOf(answer.error, problems);
  const { code, ...options } = answer.problem;
  throw problem(code, options);
}

/** An error that is none of the endpoint's is a bug. */
function problemOf(error: OperationError, problems: readonly EndpointProblem[] = []): Error {
  const known = problems.find((one) => one.error === error.code);
  if (!known) return new Error(`a request failed with ${error.code}`);
  const options = known.say?.(error) ?? {};
  return typeof known.problem === 'string' ? problem(known.problem, options) : new HttpProblem(known.problem, options);
}

function bareResponse(body: Uint8Array): HttpResponse {
  // What has formats answers both members.
  const { content_type: mediaType, content } = JSON.parse(new TextDecoder().decode(body)) as { content_type: string; content: string };
  return { status: 200, mediaType, body: content };
}
