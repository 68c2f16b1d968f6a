import type { Endpoint } from '../../endpoint/index.js';
import { PROBLEMS } from '../../http/problems.js';
import { type QueryValue, remoteCall } from './call.js';
import type { RemoteServer } from './server-of.js';

/** The parts of a call that its endpoint does not say. */
interface How {
  /** The answer is text of another media type, as a member, and so not of the form of the endpoint. */
  rendered?: boolean;
}

type Callable<Input, Answer extends object, Setup> = Pick<
  Endpoint<Input, Answer, Setup>,
  'method' | 'path' | 'output' | 'problems' | 'run'
>;

/**
 * Has a server answer an input.
 * @param input has passed the schema of the endpoint, as far as the command can say it
 * @throws {BylawError} as `remoteCall`
 */
export function callEndpoint<Input extends object, Answer extends object, Setup>(
  server: RemoteServer,
  { method, path, output, problems = [] }: Callable<Input, Answer, Setup>,
  input: Input,
  { rendered = false }: How = {},
): Promise<Answer> {
  const named = new Set<string>();
  const filled = path.replace(/^\/api\/v1\//, '').replace(/\{(\w+)\}/g, (_, name: string) => {
    named.add(name);
    return encodeURIComponent(String(input[name as keyof Input])); // the schema of the input has each name of the path
  });
  const rest = Object.entries(input).filter(([name]) => !named.has(name));
  const notFound = problems.find(({ problem }) => (typeof problem === 'string' ? PROBLEMS[problem].status : problem.status) === 404);
  return remoteCall<Answer>(server, method, filled, {
    ...(notFound && { notFound: notFound.error }),
    schema: rendered ? undefined : output.form,
    // Members of a query are texts, numbers and lists of texts; flags are texts there.
    ...(method === 'POST' ? { body: input } : { query: Object.fromEntries(rest.map(([name, value]) => [name, queryValue(value)])) }),
  });
}

function queryValue(value: unknown): QueryValue {
  return typeof value === 'boolean' ? String(value) : (value as QueryValue);
}
