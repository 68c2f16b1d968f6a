import type { Term } from './term.js';
import type { Scope } from './type.js';

/** What the parts of the translation need of each other, and of the rule and the policy at hand. */
export interface Context {
  /** See `lower.ts`. */
  lower(term: Term, scope: Scope): Term;
  lowerBody(term: Term, scope: Scope): Term;
  /** What a loop over a term goes over: for the keys of a map, the map itself. */
  lowerRange(term: Term, scope: Scope): Term;
  /** What a name stands for that no loop has bound: a variable of the policy, a known value, or itself. */
  resolve(name: string): Term;
  /** The value of `config.x` or `constants.x`, where the term is one. */
  settingOf(term: Term): Term | undefined;
  /**
   * A variable of the policy. It is made when it is first asked for; later ones can use it.
   * @param key what it stands for: the same key, the same variable
   * @param base its name, if no other has it
   */
  variable(key: string, base: string, make: () => Term): Term;
}

/** Names of the whole object: a function of them alone has one value in a policy. */
export const WHOLE: ReadonlySet<string> = new Set(['object', 'podSpec', 'podMetadata']);

export function isWhole(term: Term, scope: Scope): boolean {
  if (term.is === 'member') return term.of.is === 'name' && term.of.name === 'variables' && WHOLE.has(term.name);
  return term.is === 'name' && WHOLE.has(term.name) && (term.name === 'object' || !scope.has(term.name));
}
