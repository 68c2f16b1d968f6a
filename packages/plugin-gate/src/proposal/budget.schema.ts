import { amount, closed, instant, printable, unit } from './text-schemas.js';

/** JSON Schema (draft 7) of a budget as the caller states it. */
export const BUDGET_SCHEMA = closed(
  'What the caller says of the budget that the action is paid from. All amounts are integers in minor units.',
  ['budget_id', 'unit', 'limit', 'spent', 'period_start', 'period_end', 'as_of'],
  {
    budget_id: printable('Identifier of the budget.'),
    unit: unit('Unit of all amounts; that of the cost must be the same.'),
    limit: amount('What may be spent in the period.'),
    spent: amount('What was spent.'),
    reserved: amount('What is promised and not yet spent. Absent: 0.'),
    period_start: instant('First instant of the period.'),
    period_end: instant('End of the period.'),
    as_of: instant('When these amounts were read.'),
  },
);
