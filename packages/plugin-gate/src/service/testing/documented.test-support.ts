import { type JsonSchema, requestCheck } from '@bylaw/core/http';
import { expect } from 'vitest';

/** An answer, read whole. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** The parts of an OpenAPI document that tests look at. */
export interface OpenApi {
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: JsonSchema } };
}

interface Operation {
  responses: { [status: string]: { content: { [type: string]: { schema: JsonSchema } } } };
}

const checks = new Map<string, ReturnType<typeof requestCheck>>();

/** Fails unless the document has an entry for the answer of a route, and its schema takes the body. Paths that are not routes are passed over. */
export function expectDocumented(document: OpenApi, method: string, path: string, { status, headers, text }: Answered): void {
  const template = Object.keys(document.paths).find((known) => new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (!operation) return;
  const type = headers.get('content-type') ?? '';
  const schema = operation.responses[status]?.content[type]?.schema;
  expect(schema, `${method} ${path} ${status} ${type} is documented`).toBeDefined();
  if (!/json$/.test(type) || text === '') return;
  const name = `${method} ${template} ${status} ${type}`;
  const check = checks.get(name) ?? requestCheck({ ...schema, components: document.components });
  checks.set(name, check);
  const values = type === 'application/x-ndjson' ? text.trimEnd().split('\n') : [text];
  expect(
    values.flatMap((value) => check(JSON.parse(value))),
    `${name} fits its schema`,
  ).toEqual([]);
}
