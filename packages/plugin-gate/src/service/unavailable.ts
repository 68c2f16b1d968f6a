import { StoreError } from '../store/index.js';
import { type GateProblemCode, gateProblem, isGateProblemCode } from './problems.js';

/** Nothing can be decided or recorded: what an adapter with `fail: closed` blocks on. */
export function unavailable(code: GateProblemCode) {
  return gateProblem(code, { detail: 'Nothing was decided and nothing was recorded.', headers: { 'Retry-After': '5' } });
}

/** @throws {HttpProblem} AG-EVD-001, -002 or -004 in place of a `StoreError`, whose message is for the operator */
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
