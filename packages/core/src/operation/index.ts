/** Questions that take a while: each body is answered on another thread. */
export type { Operation, OperationError, ThreadAnswer, ThreadRequest } from './operation.js';
export { type OperationThreads, operationThreads } from './operation-threads.js';
export { threadProblem } from './thread-problem.js';
