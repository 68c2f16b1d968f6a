import { giveWay, serveThread } from '../thread/index.js';
import { answerOperation } from './answer-operation.js';
import type { Operation, ThreadRequest } from './operation.js';
import { Program } from './run-context.js';
import type { ThreadSetup } from './thread-kind.js';
import { warmUp } from './warm-up.js';

// The program of the threads that answer long requests. The functions that answer are in modules of the command line and of plugins.
giveWay();
serveThread<ThreadSetup, ThreadRequest>(async ({ program: setup, preload }) => {
  const program = new Program(setup);
  // A failure is told to each request.
  if (preload) await Promise.allSettled([program.catalogue().then(warmUp), ...preload.map((module) => import(module))]);
  return async ({ module, operation: id, now, ...request }, send) => {
    const exported: { readonly [name: string]: unknown } = await import(module);
    const operation = Object.values(exported).find((value) => isOperation(value, id));
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    return answerOperation(operation as Operation, request, program.contextAt(now), send); // as found
  };
});

function isOperation(value: unknown, id: string): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === id && ('run' in value || 'write' in value);
}
