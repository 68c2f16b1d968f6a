import { codeOf, PROBLEM_MEDIA_TYPE, type ProblemCode, type ProblemKind, sharedKind } from './problems.js';
import type { JsonSchema, Route } from './route.js';

export interface OpenApiInfo {
  title: string;
  version: string;
  description: string;
  /** SPDX identifier. */
  license: string;
  /** Tag → what its routes have in common, in the order they are shown. */
  tags: { readonly [name: string]: string };
}

/** The body of every problem. Kinds may add members of their own. */
export const PROBLEM_SCHEMA: JsonSchema = {
  title: 'Problem',
  description: 'A problem document (RFC 9457). It never repeats any part of the request.',
  type: 'object',
  required: ['type', 'title', 'status', 'instance'],
  properties: {
    type: { description: 'Type of the problem. Stable.', type: 'string' },
    title: { description: 'Type of the problem in words.', type: 'string' },
    status: { description: 'HTTP status.', type: 'integer' },
    code: { description: 'Type of the problem as a code for programs. Stable.', type: 'string' },
    detail: { description: 'How to fix the problem.', type: 'string' },
    errors: {
      description: 'Errors in the request, at most 20.',
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'message'],
        properties: {
          path: { description: 'JSON Pointer; `*` replaces a name that comes from the request.', type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    instance: { description: 'Identifier of the request, `urn:uuid:…`, as in the log.', type: 'string' },
  },
};

/** Problems that any route can answer, and those that come with what the route takes. */
const ANY: readonly ProblemCode[] = [
  'bad-http',
  'bad-target',
  'host-not-allowed',
  'not-acceptable',
  'request-timeout',
  'target-too-long',
  'expectation-failed',
  'bad-query',
  'headers-too-large',
  'internal',
];
const WITH_KEY: readonly ProblemCode[] = ['unauthenticated'];
const WITH_PARAMS: readonly ProblemCode[] = ['not-found'];
const WITH_BODY: readonly ProblemCode[] = ['invalid-json', 'too-large', 'media-type', 'schema', 'overloaded'];

/**
 * The OpenAPI 3.1 document of the routes, made of the very schemas that check their requests. A schema with a `title` becomes
 * a component of that name.
 * @throws {Error} when two different schemas have the same title
 */
export function openApiDocument(info: OpenApiInfo, mounted: readonly Route[]): object {
  const routes = mounted.filter(({ hidden }) => !hidden);
  const components = new Map<string, { source: JsonSchema; shown: JsonSchema }>();
  const shown = (schema: JsonSchema) => asReference(schema, components);
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    paths[route.path] = item;
    item[route.method.toLowerCase()] = operation(route, shown);
  }
  const { title, version, description, license, tags } = info;
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: license, identifier: license } },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, component]) => [name, component.shown])),
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key whose digest is in the configuration of the server. If no keys are configured, no key is required.',
        },
        ...Object.assign({}, ...routes.map((route) => route.security ?? {})),
      },
    },
  };
}

function operation(route: Route, shown: (schema: JsonSchema) => JsonSchema): object {
  const parameters = [
    ...Object.entries(route.params ?? {}).map(([name, schema]) => parameter(route, 'path', name, schema, shown)),
    ...Object.entries(route.query ?? {}).map(([name, schema]) => parameter(route, 'query', name, schema, shown)),
    ...Object.entries(route.headers ?? {}).map(([name, header]) => ({ name, in: 'header', ...header })),
  ];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: shown(route.body), ...bodyExamples(route) } } },
    }),
    responses: { ...successes(route, shown), ...problems(route, shown) },
    security: [...(route.auth === 'api-key' ? ['ApiKey'] : []), ...Object.keys(route.security ?? {})].map((scheme) => ({ [scheme]: [] })),
  };
}

function parameter(
  { examples = [], requiredQuery = [] }: Route,
  where: 'path' | 'query',
  name: string,
  schema: JsonSchema,
  shown: (schema: JsonSchema) => JsonSchema,
): object {
  const { description, ...rest } = schema;
  const [example] = examples.flatMap(({ input }) => Object.entries(input).flatMap(([member, value]) => (member === name ? [value] : [])));
  return {
    name,
    in: where,
    required: where === 'path' || requiredQuery.includes(name),
    ...(description !== undefined && { description }),
    schema: shown(rest),
    ...(example !== undefined && { example }),
  };
}

/** Examples have names in OpenAPI, which are identifiers to some programs. */
function bodyExamples({ examples = [] }: Route): object {
  if (examples.length === 0) return {};
  const named = examples.map(({ summary, input }, index) => [`example-${index + 1}`, { summary, value: input }] as const);
  return { examples: Object.fromEntries(named) };
}

const HEADERS = {
  'X-SVC-Request-Id': { description: 'Identifier of the request, as in the log.', schema: { type: 'string', format: 'uuid' } },
};

function successes(route: Route, shown: (schema: JsonSchema) => JsonSchema): object {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema, mediaType, others, headers = {} }]) => {
      const own = Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]);
      const content = Object.entries({ [mediaType ?? 'application/json']: schema, ...others });
      return [
        status,
        {
          description,
          headers: { ...HEADERS, ...Object.fromEntries(own) },
          content: Object.fromEntries(content.map(([type, each]) => [type, { schema: shown(each) }])),
        },
      ];
    }),
  );
}

function problems(route: Route, shown: (schema: JsonSchema) => JsonSchema): object {
  const codes = [
    ...ANY,
    ...(route.auth === 'api-key' ? WITH_KEY : []),
    ...(route.params ? WITH_PARAMS : []),
    ...(route.body ? WITH_BODY : []),
  ];
  const kinds = [...codes, ...(route.problems ?? [])].map(
    (kind): ProblemKind => (typeof kind === 'string' ? sharedKind(kind, route.codes) : kind),
  );
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of kinds) byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, same]) => [
        status,
        {
          description: [...new Set(same.map((kind) => `${kind.title} (\`${codeOf(kind) ?? 'about:blank'}\`).`))].join(' '),
          headers: HEADERS,
          content: { [PROBLEM_MEDIA_TYPE]: { schema: shown(PROBLEM_SCHEMA) } },
        },
      ]),
  );
}

/** A schema with its titled parts moved to the components. */
function asReference(schema: JsonSchema, components: Map<string, { source: JsonSchema; shown: JsonSchema }>): JsonSchema {
  const { title } = schema;
  if (typeof title !== 'string') return withReferences(schema, components);
  const known = components.get(title);
  if (known && known.source !== schema) throw new Error(`Two schemas of the API have the title ${title}.`);
  if (!known) {
    components.set(title, { source: schema, shown: {} });
    components.set(title, { source: schema, shown: withReferences(schema, components) });
  }
  return { $ref: `#/components/schemas/${title}` };
}

/** Keywords whose value is data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

function withReferences(schema: JsonSchema, components: Map<string, { source: JsonSchema; shown: JsonSchema }>): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    // An object below a keyword of a schema is a schema, or a map of schemas.
    return typeof value === 'object' && value !== null ? asReference(value as JsonSchema, components) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, DATA.has(keyword) ? value : visit(value)]));
}
