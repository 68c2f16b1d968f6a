import type { InputError } from '../../errors.js';
import { plural } from '../../plural.js';
import type { Truncated } from './evaluation.js';
import type { UndecidedCheck, UndecidedHandling, UndecidedSummary } from './undecided-check.js';

/** Checks that a run keeps; all are counted. */
const MOST_KEPT = 10_000;
/** Different reasons that are counted apart; those that come later are counted as one. */
const MOST_COUNTED = 10_000;
const MOST_LISTED = 20;

/** Gathers undecided checks in the order of the input: the same input gives the same entries, however it is shared out to threads. */
export class UndecidedLog {
  readonly #first: UndecidedCheck[] = [];
  readonly #reasons = new Map<string, UndecidedSummary['reasons'][number]>();
  #checks = 0;
  #uncounted = 0;

  add(checks: readonly UndecidedCheck[]): void {
    for (const check of checks) {
      this.#checks += 1;
      if (this.#first.length < MOST_KEPT) this.#first.push(check);
      this.#count(check);
    }
  }

  /** The first of them. */
  checks(): UndecidedCheck[] {
    return this.#first;
  }

  /** Undefined if everything could be decided. */
  summary(): UndecidedSummary | undefined {
    if (this.#checks === 0) return undefined;
    const reasons = [...this.#reasons.values()].sort((a, b) => b.count - a.count || (a.message < b.message ? -1 : 1));
    const listed = reasons.slice(0, MOST_LISTED);
    return { checks: this.#checks, reasons: listed, more_reasons: reasons.length - listed.length + this.#uncounted };
  }

  #count({ reason, message }: UndecidedCheck): void {
    const key = `${reason} ${message}`;
    const known = this.#reasons.get(key);
    if (known) known.count += 1;
    else if (this.#reasons.size < MOST_COUNTED) this.#reasons.set(key, { reason, message, count: 1 });
    else this.#uncounted = 1;
  }
}

/** What a report says about undecided checks. */
export interface ToldUndecided {
  checks?: UndecidedCheck[];
  summary?: UndecidedSummary;
  errors: InputError[];
  truncated?: Truncated;
}

/** What a run reports about its undecided checks: nothing if there are none. */
export function toldOf(log: UndecidedLog, handling: UndecidedHandling = 'warn'): ToldUndecided {
  const summary = log.summary();
  if (!summary || handling === 'ignore') return { errors: [] };
  const checks = log.checks();
  const truncated = summary.checks > checks.length && { undecided: { shown: checks.length, total: summary.checks } };
  return { checks, summary, errors: handling === 'fail' ? [undecidedError(summary)] : [], ...(truncated && { truncated }) };
}

/** The error that undecided checks are where all must be decided. */
function undecidedError({ checks, reasons: [most] }: UndecidedSummary): InputError {
  const why = most === undefined ? '' : ` ${most.count} of them: ${most.message}`;
  return { code: 'checks-undecided', message: `${plural(checks, 'check')} could not be decided.${why}`, location: null };
}
