import { CelError, type Program } from '../cel/index.js';
import type { Scope } from './subject.js';

/** Whether an optional condition holds. One that cannot be evaluated does not. */
export function holds(condition: () => Program | undefined, scope: Scope): boolean {
  try {
    return (condition()?.evaluate(scope) ?? true) === true;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return false;
  }
}
