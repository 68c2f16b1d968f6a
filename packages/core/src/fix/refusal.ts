/** Why a change is not made. The message completes a sentence about a finding that stays: a clause without a full stop. */
export class Refusal extends Error {}
