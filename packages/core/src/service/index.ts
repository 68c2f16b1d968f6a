/** What requests to evaluate and compare say, and the text of what they are answered: shared by the REST server, the tool server and the commands. */
export { comparisonText, reportText, writeComparison, writeReport } from './answer-text.js';
export {
  DEFAULT_LIMIT,
  EVALUATE_BODY_SCHEMA,
  type EvaluateBody,
  FILTER_MEMBERS,
  type FilterBody,
  type InputBody,
  VALIDATE_BODY_SCHEMA,
  type ValidateBody,
} from './bodies.js';
export { type CompareContext, type Comparing, comparersOf } from './comparing.js';
export { packBreaches } from './pack-breaches.js';
export { evaluationOf, filtersOf, inputsOf, type RequestDefaults } from './request.js';
