import { INSTANT_PATTERN } from '../json/index.js';

/** The forms of single values that proposals, budgets, mandates and results share. */

/** RFC 3986 unreserved characters: such an identifier is in a path as it is. */
const PROPOSAL_ID = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$' } as const;

/** 1 to 256 characters, none of which controls or hides text (controls, zero width, direction, separators of lines). */
const PRINTABLE = {
  type: 'string',
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]{1,256}$',
} as const;

export const proposalId = (description: string) => ({ description, ...PROPOSAL_ID });

/** Whether a text can be the id of a proposal. */
export const isProposalId = (id: string) => new RegExp(PROPOSAL_ID.pattern).test(id);

export const printable = (description: string) => ({ description, ...PRINTABLE });

export const text = (description: string, maxLength: number) => ({ description, type: 'string', maxLength });

/** The schema says the form; `readInstant` says whether there is such an instant. */
export const instant = (description: string) => ({ description, type: 'string', pattern: INSTANT_PATTERN });

export const adapterClass = (description: string) => ({ description, enum: ['enforcing', 'advisory'] });

export const unit = (description: string) => ({ description, type: 'string', pattern: '^[A-Z]{3}(\\.[a-z0-9]+)?$', maxLength: 64 });

/** Minor units. A float would not add up. */
export const amount = (description: string) => ({ description, type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** An object of which every member is named. */
export const closed = (description: string, required: readonly string[], properties: object) => ({
  description,
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

export const COST = closed('Cost of the action.', ['unit', 'amount'], {
  unit: unit('Unit of the amount, such as `USD.cents` or `TOK`.'),
  amount: amount('Amount in minor units, as an integer.'),
});
