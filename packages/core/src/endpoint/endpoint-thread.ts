import { workerData } from 'node:worker_threads';
import { type Operation, serveOperation } from '../operation/index.js';
import type { Endpoint } from './endpoint.js';

// The entry of a thread: serves the endpoints that a module exports.

const exported: { readonly [name: string]: unknown } = await import(String(workerData));
serveOperation(
  Object.fromEntries(
    Object.values(exported)
      .filter(isEndpoint)
      .map((endpoint) => [endpoint.id, operationOf(endpoint)]),
  ),
);

function operationOf(endpoint: Endpoint): Operation {
  return {
    body: endpoint.input,
    // It has passed the schema of the input.
    answer: (body, { setup, sets }) => endpoint.run({ ...(body as object), ...sets }, setup),
  };
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'id' in value && 'run' in value && 'thread' in value;
}
