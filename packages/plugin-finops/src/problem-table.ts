import { COST_ERRORS, type CostErrorCode } from '@bylaw/core/cost';
import { HttpProblem, type ProblemKind, type ProblemOptions } from '@bylaw/core/http';

/** Cost input that cannot be used is a request that cannot be processed, whatever is wrong with it. */
export function costProblemKind(code: CostErrorCode): ProblemKind {
  return { slug: code, status: 422, title: COST_ERRORS[code].summary.replace(/\.$/, '') };
}

/** Every kind of problem that cost input can give. */
export const COST_PROBLEMS: readonly ProblemKind[] = Object.keys(COST_ERRORS).map((code) => costProblemKind(code as CostErrorCode)); // its own keys

export function costProblem(code: string, options: ProblemOptions): HttpProblem | undefined {
  return isCostError(code) ? new HttpProblem(costProblemKind(code), options) : undefined;
}

function isCostError(code: string): code is CostErrorCode {
  return Object.hasOwn(COST_ERRORS, code);
}
