/** What adapters submit: the types, their JSON Schemas, and reading them. */
export { ACTION_PROPOSAL_SCHEMA } from './action-proposal.schema.js';
export { MANDATE_SCHEMA } from './mandate.schema.js';
export {
  type Action,
  type ActionProposal,
  type AdapterClass,
  type BudgetState,
  type Cost,
  type Envelope,
  type Mandate,
  RAN_STATUSES,
  RESULT_STATUSES,
  type ResultReport,
  type ResultStatus,
} from './proposal.js';
export { readMandate, readResult, readSubmission } from './read-submission.js';
export { RESULT_SCHEMA } from './result.schema.js';
export { BUDGET_SCHEMA, ENVELOPE_SCHEMA, SUBMISSION_SCHEMA } from './submission.schema.js';
export { isProposalId } from './text-schemas.js';
