import { NOTES } from '../../note.js';
import { SEVERITIES } from '../../rule/index.js';
import { UNDECIDED_REASONS } from '../../undecided.js';
import type { JsonSchema } from '../route.js';
import { COMPLIANCE_REPORT } from './catalogue.js';
import { list, object, oneOfText, text, whole } from './json-schema.js';

/** JSON Schemas of what an evaluation says, as REST and tool answers carry it. Members are in the order of the JSON. */

export const LOCATION: JsonSchema = {
  title: 'Location',
  ...object(
    { file: text('File, as named in the request.'), line: whole('Line, counted from 1.', 1), column: whole('Column, counted from 1.', 1) },
    { rendered_from: text('The chart or kustomization that the object was rendered from; line and column are 1 in this case.') },
  ),
};

export const RESOURCE: JsonSchema = {
  title: 'ResourceName',
  ...object({
    api_version: text('apiVersion, as written; `terraform` for Terraform resources.'),
    kind: text('Kind, or Terraform resource type.'),
    namespace: { description: 'Namespace; null if the object does not set one.', type: ['string', 'null'] },
    name: text('Name; empty if the object does not have one.'),
  }),
};

export const SEVERITY: JsonSchema = { title: 'Severity', ...oneOfText('Severity of a failure.', SEVERITIES) };

const ruleId = text('Identifier of the rule, `<CATEGORY>-<NNN>`.');

export const FINDING: JsonSchema = {
  title: 'Finding',
  description: 'The result of one rule for one resource, or for one item of a resource.',
  ...object(
    {
      rule_id: ruleId,
      category: text('Category code, the prefix of the identifier.'),
      severity: SEVERITY,
      title: text('Requirement that the rule checks.'),
      status: oneOfText('`error`: the rule could not be evaluated. `suppressed`: accepted by an exception.', [
        'fail',
        'pass',
        'error',
        'suppressed',
      ]),
      resource: RESOURCE,
      location: { anyOf: [LOCATION, { type: 'null' }] },
      path: text('JSON Pointer to the value that fails the rule, or to the place where a value is missing.'),
      message: text('What the rule found.'),
      fix: text('What to change.'),
      frameworks: list('Controls that the rule supports.', text('`NAME-VERSION:ITEM`.')),
    },
    {
      suppression: object(
        {
          source: oneOfText('Where the exception is declared.', ['annotation', 'comment', 'config', 'baseline']),
          reason: text('Why the finding is accepted.'),
        },
        { expires: text('Last day on which the exception applies.') },
      ),
      would_be_suppressed: {
        description: 'An exception that covers the finding and does not count in this run. Only where `status` is `fail`.',
        ...object(
          {
            source: oneOfText('Where the exception is.', ['annotation', 'comment', 'config', 'baseline']),
            reason: text('Why the finding would be accepted.'),
            ignored_because: oneOfText(
              '`exceptions_from`: exceptions of this source do not count (`--no-exceptions`, `evaluate.exceptions`). `policy_from`: the commit that `--policy-from` names does not have it; it counts once the change is merged.',
              ['exceptions_from', 'policy_from'],
            ),
          },
          { expires: text('Last day on which it holds.') },
        ),
      },
      caused_by: text(
        'Rule with a failing finding on the same resource or item that has the same cause. Fix that finding first. Reports for people show the two findings together.',
      ),
    },
  ),
};

export const INPUT_ERROR: JsonSchema = {
  title: 'InputError',
  description: 'A part of the input that could not be read or evaluated. All other parts were evaluated.',
  ...object({
    code: text('Stable code.'),
    message: text('What is wrong and how to fix it.'),
    location: { anyOf: [LOCATION, { type: 'null' }] },
  }),
};

export const NOTE: JsonSchema = {
  title: 'Note',
  description: 'Something that was not evaluated, without being an error.',
  ...object({
    code: oneOfText('Stable code.', Object.keys(NOTES)),
    message: text('What was not evaluated, why, and what to do to evaluate it.'),
    count: whole('Number of files, documents or names that the note is about.', 1),
    first: list('The first of these names, at most 20.', text('Name.')),
  }),
};

const REASON_MEMBERS = {
  reason: oneOfText('Stable code of the reason.', Object.keys(UNDECIDED_REASONS)),
  message: text('One sentence, the same for everything with the same cause.'),
};

const UNDECIDED_CHECK: JsonSchema = {
  title: 'UndecidedCheck',
  description: 'A rule that neither passes nor fails on a resource, because something that decides is not known.',
  ...object({
    rule_id: ruleId,
    category: text('Category code, the prefix of the identifier.'),
    severity: SEVERITY,
    title: text('Requirement that the rule checks.'),
    resource: RESOURCE,
    location: { anyOf: [LOCATION, { type: 'null' }] },
    path: text('JSON Pointer to the value that is not known, or to what the rule is about.'),
    ...REASON_MEMBERS,
  }),
};

export const UNDECIDED = list('Checks that could not be decided; absent if there are none, and with `undecided: ignore`.', UNDECIDED_CHECK);

export const UNDECIDED_SUMMARY: JsonSchema = {
  title: 'UndecidedSummary',
  description: 'How many checks could not be decided, and why. Absent if there are none, and with `undecided: ignore`.',
  ...object({
    checks: whole('Pairs of a rule and a resource.', 1),
    reasons: list('The most frequent first, at most 20.', object({ ...REASON_MEMBERS, count: whole('Number of checks.', 1) })),
    more_reasons: whole('How many other reasons there are.'),
  }),
};

export const UNCHECKED = list(
  'Number of resources by kind, for kinds that no selected rule covers, the most frequent kind first. Rules for every kind (`*`) do not count.',
  {
    title: 'UncheckedKind',
    ...object({ kind: text('`Kind`, or `group/Kind` for a custom resource.'), count: whole('Number of resources.', 1) }),
  },
);

export const score = (description: string) => ({ description, type: ['number', 'null'], minimum: 0, maximum: 100 });

const SCORE: JsonSchema = {
  title: 'Score',
  ...object({
    overall: score('0 to 100; null if less than half of the input could be read, or no rule covers any of it.'),
    by_category: {
      description: 'Score by category code; null if no rule applied.',
      type: 'object',
      additionalProperties: score('0 to 100.'),
    },
    grade: {
      description: 'Grade; null if there is no score, or if fewer than half of the resources were checked.',
      enum: ['A', 'B', 'C', 'D', 'F', null],
    },
    score_without_waivers: score('Score if no finding were suppressed.'),
    coverage: {
      description: 'Number of resources that were evaluated, divided by the number found.',
      type: 'number',
      minimum: 0,
      maximum: 1,
    },
    low: score('Score if every unknown result were a failure.'),
    high: score('Score if every unknown result were a pass.'),
  }),
};

const EXCEPTION_COUNTS: JsonSchema = {
  title: 'ExceptionCounts',
  description: 'Findings that exceptions cover: by what kind of exception, and where.',
  ...object({
    annotation: whole('Findings that annotations on the objects cover.'),
    comment: whole('Findings that comments in the manifests cover.'),
    config: whole('Findings that exceptions of the configuration, or of the request, cover.'),
    baseline: whole('Findings that a baseline covers.'),
    files: list(
      'The files with the most of these findings, at most 20. Findings on objects without a file are in none.',
      object({ file: text('File as the request named it.'), count: whole('Findings.', 1) }),
    ),
    more_files: whole('How many other files there are.'),
  }),
};

export const EXCEPTION_MEMBERS = {
  suppressed_by: EXCEPTION_COUNTS,
  would_be_suppressed_by: {
    description: 'The same for exceptions that do not count, by the reason; their findings count. See `would_be_suppressed` of a finding.',
    ...object({}, { exceptions_from: EXCEPTION_COUNTS, policy_from: EXCEPTION_COUNTS }),
  },
};

const TRUNCATION: JsonSchema = {
  title: 'Truncation',
  ...object({ shown: whole('Entries of the list in the answer.'), total: whole('Entries that there are.', 1) }),
};

const SUMMARY: JsonSchema = {
  title: 'Summary',
  ...object(
    {
      resources: whole('Number of resources that were read.'),
      unchecked: UNCHECKED,
      rules: whole('Number of selected rules.'),
      findings: whole('Number of findings with status `fail`.'),
      suppressed: whole('Number of findings with status `suppressed`.'),
      errors: whole('Number of errors.'),
      by_severity: object(
        Object.fromEntries(SEVERITIES.map((severity) => [severity, whole(`Number of findings of severity ${severity}.`)])),
      ),
      by_category: {
        description: 'Number of findings by category code.',
        type: 'object',
        additionalProperties: whole('Number of findings.'),
      },
    },
    { ...EXCEPTION_MEMBERS, undecided: UNDECIDED_SUMMARY },
  ),
};

/** Which lists of an answer are not complete. */
export const truncatedLists = (...lists: readonly string[]): JsonSchema => ({
  description: 'Absent if every list is complete. Which lists are not: how many entries are shown, and how many there are.',
  ...object({}, Object.fromEntries(lists.map((name) => [name, TRUNCATION]))),
});

/** The members of every report, for those that have more of them. */
export const REPORT_MEMBERS = {
  findings: list('In the order of files, lines and rules.', FINDING),
  errors: list('Parts of the input that could not be read or evaluated.', INPUT_ERROR),
  notes: list('What was not evaluated, without being an error.', NOTE),
  score: SCORE,
  summary: SUMMARY,
};

export const EVALUATION_REPORT: JsonSchema = {
  title: 'EvaluationReport',
  ...object(REPORT_MEMBERS, {
    undecided: UNDECIDED,
    compliance: COMPLIANCE_REPORT,
    truncated: truncatedLists('findings', 'errors', 'undecided'),
  }),
};
