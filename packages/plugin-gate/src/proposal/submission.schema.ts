import { ACTION_PROPOSAL_SCHEMA } from './action-proposal.schema.js';
import { BUDGET_SCHEMA } from './budget.schema.js';
import { MANDATE_SCHEMA } from './mandate.schema.js';
import { closed } from './text-schemas.js';

/** JSON Schema (draft 7) of a proposal with what it is evaluated by. */
export const ENVELOPE_SCHEMA = closed('A proposal with the budget and the mandate that it is evaluated against.', ['proposal'], {
  proposal: ACTION_PROPOSAL_SCHEMA,
  budget: BUDGET_SCHEMA,
  mandate: MANDATE_SCHEMA,
});

/** Either form of a submission. An object with the member `proposal` is an envelope. */
export const SUBMISSION_SCHEMA = {
  description: 'A proposal, alone or with a budget and a mandate.',
  oneOf: [ACTION_PROPOSAL_SCHEMA, ENVELOPE_SCHEMA],
};
