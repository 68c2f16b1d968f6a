import type { Summary } from '../evaluate/index.js';
import { SEVERITIES, type Severity } from '../rule/index.js';
import { number, plural, uncheckedCount, undecidedCount } from './wording.js';

/** The least severe finding that fails a run; with NONE none does. */
export type Threshold = Severity | 'NONE';

/** The outcome of a run. `incomplete` takes precedence over `fail`: what was not read may contain something worse. */
export type Outcome = 'pass' | 'fail' | 'incomplete' | 'not-checked';

/** What the outcome of a run is decided by. */
export type Counted = Pick<Summary, 'resources' | 'unchecked' | 'rules' | 'errors' | 'findings' | 'undecided' | 'by_severity'>;

/**
 * The outcome: `incomplete` if something could not be read or evaluated, or if no rule covers the kind of any resource; else `not-checked` if the
 * filter left no rule; else `fail` if a finding reaches the threshold.
 */
export function outcomeOf(counted: Counted, threshold: Threshold): Outcome {
  const { errors, resources, rules, by_severity } = counted;
  if (errors > 0) return 'incomplete';
  if (resources > 0 && rules === 0) return 'not-checked';
  if (resources > 0 && uncheckedCount(counted) === resources) return 'incomplete';
  return failing(threshold).some((severity) => by_severity[severity] > 0) ? 'fail' : 'pass';
}

export interface Verdict {
  outcome: Outcome;
  /** `PASS`, `FAIL`, `INCOMPLETE`, `NOT CHECKED`. */
  word: string;
  /** Why: `3 critical, 5 high (threshold HIGH)`. */
  why: string;
}

/** The outcome as the last line of a report says it. */
export function verdictOf(counted: Counted, threshold: Threshold): Verdict {
  const outcome = outcomeOf(counted, threshold);
  const undecided = undecidedCount(counted);
  const why = [
    ...gaps(counted),
    ...(outcome === 'not-checked' ? [] : [counts(counted, threshold)]),
    ...(undecided === '' ? [] : [undecided]),
  ];
  return { outcome, word: WORDS[outcome], why: why.join('; ') };
}

const WORDS: { readonly [outcome in Outcome]: string } = {
  pass: 'PASS',
  fail: 'FAIL',
  incomplete: 'INCOMPLETE',
  'not-checked': 'NOT CHECKED',
};

/** What was not evaluated. */
function gaps(counted: Counted): string[] {
  const { errors, resources, rules } = counted;
  const unchecked = uncheckedCount(counted);
  const missed =
    resources === 0 || unchecked === 0
      ? []
      : rules === 0
        ? ['the filter selects no rule, so nothing was checked']
        : unchecked === resources
          ? ['nothing was checked: no rule covers these kinds']
          : [`${number(unchecked)} of ${plural(resources, 'resource')} not checked`];
  return [...(errors > 0 ? [plural(errors, 'error')] : []), ...missed];
}

function counts({ resources, errors, findings, by_severity }: Counted, threshold: Threshold): string {
  if (resources + errors + findings === 0) return 'nothing to evaluate';
  if (findings === 0) return 'no findings';
  const all = severityCounts(by_severity, SEVERITIES);
  if (threshold === 'NONE') return `${all} (no threshold)`;
  const above = severityCounts(by_severity, failing(threshold));
  return above === '' ? `nothing at or above ${threshold}: ${all}` : `${above} (threshold ${threshold})`;
}

/** `3 critical, 5 high`: those that there are. */
function severityCounts(by_severity: Summary['by_severity'], severities: readonly Severity[]): string {
  return severities
    .filter((severity) => by_severity[severity] > 0)
    .map((severity) => `${number(by_severity[severity])} ${severity.toLowerCase()}`)
    .join(', ');
}

function failing(threshold: Threshold): readonly Severity[] {
  return threshold === 'NONE' ? [] : SEVERITIES.slice(0, SEVERITIES.indexOf(threshold) + 1);
}
