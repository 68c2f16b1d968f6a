import { ACTION_PROPOSAL_SCHEMA } from './action-proposal.schema.js';
import { MANDATE_SCHEMA } from './mandate.schema.js';
import { amount, closed, instant, printable, unit } from './text-schemas.js';

/** JSON Schema (draft 7) of a budget as the caller states it. */
export const BUDGET_SCHEMA = closed(
  'The budget that pays for the action, as reported by the caller. All amounts are integers in minor units.',
  ['budget_id', 'unit', 'limit', 'spent', 'period_start', 'period_end', 'as_of'],
  {
    budget_id: printable('Identifier of the budget.'),
    unit: unit('Unit of all amounts. It must match the unit of the cost.'),
    limit: amount('Spending limit for the period.'),
    spent: amount('Amount spent so far.'),
    reserved: amount('Amount committed but not yet spent. Default: 0.'),
    period_start: instant('Start of the period (inclusive).'),
    period_end: instant('End of the period (exclusive).'),
    as_of: instant('When these amounts were read.'),
  },
);

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
