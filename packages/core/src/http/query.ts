import { requestCheck } from '../request-check.js';
import { type ProblemError, problem } from './problems.js';
import type { JsonSchema, QueryValue, Route } from './route.js';

type QueryParser = (query: string) => { [name: string]: QueryValue };

/**
 * Makes the parser of a route's query. Values become integers, numbers, booleans or lists where the schema says so; a
 * parameter that is unknown, given twice (unless it is a list), or does not fit its schema is refused.
 * The parser throws {HttpProblem} `bad-query`.
 */
export function queryParser(route: Pick<Route, 'query' | 'requiredQuery'>): QueryParser {
  const schemas = route.query ?? {};
  const check = requestCheck({ type: 'object', properties: schemas, required: route.requiredQuery ?? [], additionalProperties: false });
  const known = Object.keys(schemas);
  const needsNone = check({}).length === 0;
  return (query) => {
    if (query === '' && needsNone) return {};
    const texts = collect(query, schemas, known);
    const values = Object.fromEntries([...texts].map(([name, list]) => [name, convert(list, schemas[name] ?? {})]));
    const errors = check(values);
    if (errors.length > 0) throw refusal(known, errors);
    return values;
  };
}

function collect(query: string, schemas: { readonly [name: string]: JsonSchema }, known: readonly string[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(schemas, name)) throw refusal(known, [{ path: '', message: 'has an unknown parameter' }]);
    const list = texts.get(name) ?? [];
    if (list.length > 0 && schemas[name]?.type !== 'array')
      throw refusal(known, [{ path: `/${name}`, message: 'is given more than once' }]);
    texts.set(name, [...list, value]);
  }
  return texts;
}

function convert(list: readonly string[], schema: JsonSchema): QueryValue {
  // Our own schemas: `items` of a list is a schema.
  if (schema.type === 'array') return list.map((text) => scalar(text, (schema.items ?? {}) as JsonSchema));
  return scalar(list[0] ?? '', schema);
}

/** Text that has not the form of the wanted type stays text, and the schema refuses it. */
function scalar(text: string, schema: JsonSchema): string | number | boolean {
  if (schema.type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
  if (schema.type === 'number' && /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function refusal(known: readonly string[], errors: readonly ProblemError[]) {
  const detail = known.length === 0 ? 'This endpoint takes no query parameters.' : `Known parameters: ${known.join(', ')}.`;
  return problem('bad-query', { detail, errors });
}
