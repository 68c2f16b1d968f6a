/** Questions that take a while: each body is answered on another thread. */
export { answerOperation, operationError, wholeBody } from './answer-operation.js';
export type { Operation, OperationError, Refusal, ThreadAnswer, ThreadRequest } from './operation.js';
export { type OperationThreads, operationThreads } from './operation-threads.js';
export { type EvaluationContext, Program, type ProgramSetup, type RunContext } from './run-context.js';
export { EVALUATIONS, type ThreadKind } from './thread-kind.js';
export { type ThreadProblemWords, threadProblem } from './thread-problem.js';
