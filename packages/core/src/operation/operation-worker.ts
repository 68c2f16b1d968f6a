import { giveWay, serveThread } from '../thread/index.js';
import { answerOperation } from './answer-operation.js';
import type { Operation, ThreadRequest } from './operation.js';

// The program of the threads that answer long requests. The functions that answer are in modules of plugins.
giveWay();
serveThread<undefined, ThreadRequest & { module: string }>(() => async ({ module, operation: name, body }) => {
  const { OPERATIONS } = (await import(module)) as { OPERATIONS: { readonly [name: string]: Operation } }; // the contract
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return answerOperation(operation, body);
});
