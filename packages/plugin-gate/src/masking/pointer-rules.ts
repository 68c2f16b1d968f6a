import { compileGlobs } from '../glob.js';

/** Values at places, by rule. */
export interface MaskedPlaces {
  id: string;
  /** JSON Pointers into a proposal or a result report; `*` stands for any text within a step, `**` for any across steps. */
  pointers: readonly string[];
}

/** Finds the rule that masks what is at a JSON Pointer, whole. */
export type PointerRules = (pointer: string) => string | undefined;

/** @returns undefined where there are no rules, so that no pointer needs to be made */
export function pointerRules(rules: readonly MaskedPlaces[] = []): PointerRules | undefined {
  if (rules.length === 0) return undefined;
  const compiled = rules.map(({ id, pointers }) => ({ id, covers: compileGlobs(pointers, '/') }));
  return (pointer) => compiled.find(({ covers }) => covers(pointer))?.id;
}

/** One step more: names are written as RFC 6901 asks. */
export function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
