import { giveWay, serveThread } from '../thread/index.js';
import { answerOperation } from './answer-operation.js';
import type { Operation, ThreadRequest } from './operation.js';

// The program of the threads that answer long requests. The functions that answer are in modules of plugins.
giveWay();
serveThread<undefined, ThreadRequest & { module: string }>(() => async ({ module, operation: id, body, ...request }) => {
  const exported: { readonly [name: string]: unknown } = await import(module);
  const operation = Object.values(exported).find((value) => isOperation(value, id));
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return answerOperation(operation as Operation, body, request); // as found
});

function isOperation(value: unknown, id: string): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === id && 'run' in value;
}
