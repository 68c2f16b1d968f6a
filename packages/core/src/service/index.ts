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
export { evaluationOf, filtersOf, inputsOf, type RequestDefaults } from './request.js';
export {
  type PoolAnswer,
  type PoolLimits,
  type RequestPool,
  type RequestPoolOptions,
  type RequestSetup,
  requestPool,
} from './request-pool.js';
export { wholeBody } from './whole-body.js';
