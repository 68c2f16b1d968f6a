import { CelError, UndecidedError } from '../../cel/index.js';
import type { CompiledLogic, Rule } from '../../rule/index.js';
import { UnknownError } from '../../undecided.js';
import type { Undecided } from './rule-index.js';
import { holds, type Scope } from './scope.js';

// What the expressions of a logic give for one finding. A value that cannot be known leaves a default.

/** What kept an evaluation from its result; undefined for an error. */
export function unknownOf(error: unknown): Undecided['unknown'] | undefined {
  return error instanceof UndecidedError || error instanceof UnknownError ? error.unknown : undefined;
}

/** The value, or another one if it cannot be known. */
export function knownOr<T>(otherwise: T, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (unknownOf(error)) return otherwise;
    throw error;
  }
}

/** @throws {CelError} */
export function messageOf(logic: CompiledLogic, rule: Rule, scope: Scope): string {
  const text = knownOr<unknown>(rule.title, () => logic.message()?.evaluate(scope)) ?? rule.title;
  if (typeof text !== 'string') throw new CelError('`message` must return a string.');
  if (text.length > LONGEST_MESSAGE) throw new CelError(`\`message\` must return at most ${LONGEST_MESSAGE} characters.`);
  return text;
}

/** The line of the text at the place of a finding; undefined where the finding is about all of it. @throws {CelError} */
export function lineOf(logic: CompiledLogic, scope: Scope): number | undefined {
  const line = knownOr<unknown>(0n, () => logic.line()?.evaluate(scope)) ?? 0n;
  if (typeof line !== 'bigint') throw new CelError('`line` must return a whole number.');
  return line > 0n ? Number(line) : undefined;
}

/** Those whose condition holds. */
export function causesHere({ causes }: CompiledLogic, scope: Scope): string[] {
  return causes.filter(({ when }) => holds(when, scope)).flatMap(({ rules }) => rules);
}

/** Of a message, in characters: a rule with thousands of items could otherwise fill the memory with them. */
const LONGEST_MESSAGE = 10_000;
