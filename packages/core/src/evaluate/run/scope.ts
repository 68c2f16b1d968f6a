import { CelError, type Program } from '../../cel/index.js';

/** The variables of CEL. Those of a rule, a container and an item are set anew each time. */
export interface Scope {
  [variable: string]: unknown;
  object: unknown;
  podSpec: unknown;
  config: unknown;
  constants: unknown;
  container: unknown;
  containerKind: unknown;
  item: unknown;
}

/** Whether an optional condition holds. One that cannot be evaluated does not. */
export function holds(condition: () => Program | undefined, scope: Scope): boolean {
  try {
    return (condition()?.evaluate(scope) ?? true) === true;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return false;
  }
}
