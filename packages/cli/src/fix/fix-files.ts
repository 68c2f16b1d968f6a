import type { Clock } from '@bylaw/core/clock';
import type { EvaluationRequest, Finding } from '@bylaw/core/evaluate';
import { type FileText, type FixRequest, fixInputs, type InputFix, unifiedDiff } from '@bylaw/core/fix';
import type { Input } from '@bylaw/core/resource';
import { type Catalogue, testsAfter } from '@bylaw/core/rule';
import { writeFixed } from './write-fixed.js';

/** A finding that is gone. Members in the order of the JSON output. */
export interface FixedFinding extends Pick<Finding, 'rule_id' | 'severity' | 'title' | 'resource' | 'path' | 'message'> {
  file: string;
}

/** A finding that stays although its rule has a fix. */
export interface UnfixedFinding extends FixedFinding {
  /** A clause without a full stop. */
  reason: string;
}

export interface FixOutcome {
  fixed: FixedFinding[];
  unfixed: UnfixedFinding[];
  /** Files that were changed, or would be. */
  files: number;
  /** Files that should have been changed, and could not be written. */
  unwritten: number;
  /** What to test after the fixes that were made, or would be: the rules in the order of the catalogue. */
  tests: { rule_id: string; test: string }[];
  /** What would change; empty where files are written. */
  diff: string;
  /** The diff leaves out values of Secrets, or a file with too many changes, so it cannot be applied as a whole. */
  diffIsPartial: boolean;
  /** What remains to be evaluated: the inputs as they are, or would be, afterwards. */
  inputs: EvaluationRequest['inputs'];
}

/** Fixes the files among the inputs: writes each as soon as it is fixed, or, if nothing is to be written, keeps the new texts. */
export async function fixFiles(catalogue: Catalogue, request: FixRequest, clock: Clock, dryRun: boolean): Promise<FixOutcome> {
  const outcome: FixOutcome = {
    ...{ fixed: [], unfixed: [], files: 0, unwritten: 0, tests: [], diff: '', diffIsPartial: false },
    inputs: request.inputs,
  };
  const texts = new Map<Input, string>();
  for await (const fix of fixInputs(catalogue, request, clock)) {
    const { text, bytes, input } = fix;
    const problem = text && bytes && !dryRun ? await writeFixed(input, bytes, text.after) : undefined;
    add(outcome, fix, problem);
    if (!text || !dryRun) continue;
    texts.set(input, text.after);
    addDiff(outcome, input.file, text);
  }
  const fixedRules = new Set(outcome.fixed.map(({ rule_id }) => rule_id));
  outcome.tests = catalogue.rules
    .filter(({ id }) => fixedRules.has(id))
    .flatMap((rule) => testsAfter(rule).map((test) => ({ rule_id: rule.id, test })));
  outcome.inputs = request.inputs.map((input) => ('open' in input ? withText(input, texts.get(input)) : input));
  return outcome;
}

function add(outcome: FixOutcome, { input, text, fixed, unfixed }: InputFix, problem: string | undefined): void {
  const entry = ({ rule_id, severity, title, resource, path, message }: Finding): FixedFinding => ({
    ...{ rule_id, severity, title, file: input.file, resource, path, message },
  });
  outcome.unfixed = outcome.unfixed.concat(unfixed.map(({ finding, reason }) => ({ ...entry(finding), reason })));
  if (problem === undefined) {
    outcome.fixed = outcome.fixed.concat(fixed.map(entry));
    if (text) outcome.files++;
  } else {
    outcome.unfixed = outcome.unfixed.concat(fixed.map((finding) => ({ ...entry(finding), reason: problem })));
    outcome.unwritten++;
  }
}

function addDiff(outcome: FixOutcome, file: string, { before, after, masked }: FileText): void {
  const shown = masked ?? { before, after };
  const diff = unifiedDiff(file, shown.before, shown.after);
  outcome.diff += diff ?? '';
  outcome.diffIsPartial ||= diff === undefined || (masked !== undefined && masked.before !== before);
}

function withText(input: Input, text: string | undefined): Input {
  if (text === undefined) return input;
  const bytes = Buffer.from(text);
  return {
    ...input,
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}
