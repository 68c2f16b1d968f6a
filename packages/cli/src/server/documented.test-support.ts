import { type JsonSchema, requestCheck } from '@bylaw/core/http';
import { expect } from 'vitest';

/** The parts of an OpenAPI document that tests look at. */
export interface OpenApi {
  openapi: string;
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: JsonSchema }; securitySchemes: object };
}

export interface Operation {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: { [type: string]: { schema: JsonSchema; examples?: { [name: string]: { summary: string; value: unknown } } } } };
  responses: { [status: string]: { content: { [type: string]: { schema: JsonSchema } } } };
}

/** By their schema: to compile one takes longer than most requests. */
const checks = new Map<string, ReturnType<typeof requestCheck>>();

/** Fails unless the document has an entry for this answer, and its schema takes the body. */
export function expectDocumented(
  document: OpenApi,
  method: string,
  path: string,
  answer: { status: number; type: string | null; body: string },
): void {
  const operation = operationOf(document, method, path);
  expect(operation, `${method} ${path} is documented`).toBeDefined();
  const schema = operation?.responses[answer.status]?.content[answer.type ?? '']?.schema;
  expect(schema, `${method} ${path} ${answer.status} ${answer.type} is documented`).toBeDefined();
  const whole = { ...schema, components: document.components };
  const key = JSON.stringify(whole);
  const check = checks.get(key) ?? requestCheck(whole);
  checks.set(key, check);
  expect(check(JSON.parse(answer.body)), `${method} ${path} ${answer.status} fits its schema`).toEqual([]);
}

function operationOf(document: OpenApi, method: string, path: string): Operation | undefined {
  const template = Object.keys(document.paths).find((known) => new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
}
