import { createEvaluator, type Evaluator, type Program } from '@bylaw/core/cel';
import { VARIABLES } from './variables.js';

/** Bounds on the cost of a condition. */
const BOUNDS = { maxNodes: 500, maxNesting: 1 };

/**
 * Compiles the condition of a policy.
 * @throws {CelError} with the offset of what is wrong
 */
export function compileCondition(when: string, evaluator: Evaluator): Program {
  return evaluator.compile(when, { variables: Object.keys(VARIABLES), shapes: VARIABLES, condition: true, ...BOUNDS });
}

/** The conditions that must all hold for a condition to hold, each on its own: to explain, not to decide. */
export function conditionParts(when: Program): Program[] {
  const evaluator = createEvaluator();
  return when.conjuncts().map((part) => compileCondition(part, evaluator));
}
