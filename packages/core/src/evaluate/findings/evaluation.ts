import type { ComplianceReport } from '../../compliance/index.js';
import type { InputError } from '../../errors.js';
import type { Note } from '../../note.js';
import type { Severity } from '../../rule/rule.js';
import type { Score } from '../../score/index.js';
import type { Finding, Suppression, WouldBeSuppressed } from './finding.js';
import type { UndecidedCheck, UndecidedSummary } from './undecided-check.js';

export type { Score };

export interface Summary extends ExceptionSummary {
  resources: number;
  /** Those of `resources` whose kind no selected rule covers, the most frequent kind first: `Kind`, or `group/Kind` for custom resources. */
  unchecked: { kind: string; count: number }[];
  /** Rules that were selected for the run. */
  rules: number;
  /** Findings with status `fail`. */
  findings: number;
  suppressed: number;
  errors: number;
  /** Only where something could not be decided. */
  undecided?: UndecidedSummary;
  by_severity: { [severity in Severity]: number };
  /** Only categories with a selected rule. */
  by_category: { [category: string]: number };
}

/** What exceptions cover; members without a finding are absent. */
export interface ExceptionSummary {
  suppressed_by?: ExceptionCounts;
  /** The same for exceptions that do not count, by the reason. */
  would_be_suppressed_by?: { [reason in WouldBeSuppressed['ignored_because']]?: ExceptionCounts };
}

/** Findings by the kind of the exception that covers them, and by file. */
export interface ExceptionCounts extends Record<Suppression['source'], number> {
  /** The files with the most of them, at most 20; findings on objects without a file are in none. */
  files: { file: string; count: number }[];
  /** How many other files there are. */
  more_files: number;
}

/** The result of an evaluation, the same through every interface, members in this order. */
export interface EvaluationReport {
  findings: Finding[];
  errors: InputError[];
  /** What was left out without an error. */
  notes: Note[];
  /** Only where something could not be decided. */
  undecided?: UndecidedCheck[];
  score: Score;
  summary: Summary;
  /** Only if the request asks for it. */
  compliance?: ComplianceReport;
  /** Only if a list is not complete. */
  truncated?: Truncated;
}

/** How many entries of a list an answer has, and how many there are. */
export interface Truncation {
  shown: number;
  total: number;
}

/** The lists of an answer that are not complete, by the names of their members. */
export interface Truncated {
  [list: string]: Truncation;
}

/**
 * A run, as a stream: any number of `findings` in report order, then one `end`. Nothing but the current batch is held in
 * memory. `json` is the batch as the text of JSON array items without the brackets; both views say the same.
 * `more` are additional members of the report, such as the cluster of a scan; they follow the summary. `about` are sentences for
 * people about where the input came from; reports for machines leave them out, because `more` says the same.
 */
export type EvaluationEvent =
  | { type: 'findings'; batch: FindingBatch }
  | {
      type: 'end';
      errors: InputError[];
      notes: Note[];
      undecided?: readonly UndecidedCheck[];
      score: Score;
      summary: Summary;
      more?: { readonly [member: string]: unknown };
      about?: readonly string[];
    };

export interface FindingBatch {
  count: number;
  findings(): Finding[];
  json(): string;
}
