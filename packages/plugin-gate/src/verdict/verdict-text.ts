import { canonical, type Json } from '../json/index.js';
import type { Verdict } from './verdict.js';

/** The canonical text of a verdict: equal verdicts have equal bytes. */
export function verdictText(verdict: Verdict): string {
  return canonical(verdict as unknown as Json); // an interface of JSON values
}
