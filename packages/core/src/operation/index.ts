/** Questions that take a while: each body is answered on a thread of its own, alike for routes and tools. */
export type { Operation, OperationError, ThreadAnswer, ThreadRequest } from './operation.js';
export { answerInThread } from './operation-thread.js';
export { serveOperation } from './serve-operation.js';
