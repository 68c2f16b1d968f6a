/** Whole requests, from the bytes of a body to the bytes of an answer: what the REST server and the tool server share. */
export { type Answer, type AnswerContext, answer, comparisonText, type Operation, packBreaches, reportText } from './answer.js';
export {
  EVALUATE_BODY_SCHEMA,
  type EvaluateBody,
  FILTER_MEMBERS,
  type FilterBody,
  type InputBody,
  VALIDATE_BODY_SCHEMA,
  type ValidateBody,
} from './bodies.js';
export { type CompareContext, type Comparing, comparersOf } from './comparing.js';
export { PoolBusyError } from './fair-queue.js';
export { evaluationOf, filtersOf, inputsOf, type RequestDefaults } from './request.js';
export type { WorkerSetup } from './request-messages.js';
export { EvaluationMemoryError, threadHeapMb } from './thread-memory.js';
export { giveWay } from './thread-priority.js';
export { wholeBody } from './whole-body.js';
export { EvaluationTimeoutError, type PoolAnswer, type PoolLimits, WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
