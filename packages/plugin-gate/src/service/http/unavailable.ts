import { StoreError } from '../../store/index.js';
import { type GateProblemCode, gateProblem, isGateProblemCode } from './problems.js';

/** Nothing can be decided or recorded, or that is not known: what an adapter with `fail: closed` blocks on. */
export function unavailable(code: GateProblemCode) {
  return gateProblem(code, { detail: code === 'AG-EVD-009' ? UNKNOWN : NOTHING, headers: { 'Retry-After': '5' } });
}

const NOTHING = 'Nothing was decided and nothing was recorded.';
const UNKNOWN =
  'The store did not confirm the request, so it is not known whether it was recorded. GET /v1/proposals/{id} shows what was recorded.';

/** @throws {HttpProblem} AG-EVD-001, -002, -004 or -009 in place of a `StoreError`, whose message is for the operator */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StoreError ? unavailable(error.code) : error;
  }
}

/** @throws {HttpProblem} the first reason that keeps units from being recorded, when there is one */
export function refuseWhen(reasons: readonly { code: string; blocks?: false }[]): void {
  const first = reasons.find(({ blocks }) => blocks !== false);
  if (first) throw unavailable(isGateProblemCode(first.code) ? first.code : 'AG-EVD-002');
}
