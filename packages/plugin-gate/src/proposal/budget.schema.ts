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
