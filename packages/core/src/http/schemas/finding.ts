import { NOTES } from '../../note.js';
import { SEVERITIES } from '../../rule/index.js';
import type { JsonSchema } from '../route.js';
import { COMPLIANCE_REPORT } from './catalogue.js';
import { COMPARISON_ADDITIONS } from './comparison-additions.js';
import { list, number, object, oneOfText, text, whole } from './json-schema.js';

/** JSON Schemas of what an evaluation says, as REST and tool answers carry it. Members stand in the order of the JSON. */

const LOCATION: JsonSchema = {
  title: 'Location',
  ...object(
    { file: text('File as the request named it.'), line: whole('Counts from 1.', 1), column: whole('Counts from 1.', 1) },
    { rendered_from: text('The chart or kustomization that the object was rendered from; line and column are then 1.') },
  ),
};

const RESOURCE: JsonSchema = {
  title: 'ResourceName',
  ...object({
    api_version: text('As written; `terraform` for Terraform resources.'),
    kind: text('Kind, or Terraform type.'),
    namespace: { description: 'Null where the object names none.', type: ['string', 'null'] },
    name: text('Name; empty where the object has none.'),
  }),
};

export const SEVERITY: JsonSchema = { title: 'Severity', ...oneOfText('How bad a failure is.', SEVERITIES) };

const ruleId = text('`<CATEGORY>-<NNN>`.');

export const FINDING: JsonSchema = {
  title: 'Finding',
  description: 'What one rule says about one resource, or one item of it.',
  ...object(
    {
      rule_id: ruleId,
      category: text('Category code, the prefix of the identifier.'),
      severity: SEVERITY,
      title: text('What must hold.'),
      status: oneOfText('`error`: the rule could not be evaluated. `suppressed`: accepted by an exception.', [
        'fail',
        'pass',
        'error',
        'suppressed',
      ]),
      resource: RESOURCE,
      location: { anyOf: [LOCATION, { type: 'null' }] },
      path: text('JSON Pointer of the offending value, or of where it is missing.'),
      message: text('What was found.'),
      fix: text('What to change.'),
      frameworks: list('Controls that the rule supports.', text('`NAME-VERSION:ITEM`.')),
    },
    {
      suppression: object(
        {
          source: oneOfText('Where the exception stands.', ['annotation', 'comment', 'config', 'baseline']),
          reason: text('Why the finding is accepted.'),
        },
        { expires: text('Last day on which it holds.') },
      ),
      caused_by: text(
        'Rule whose failing finding on the same thing has the same cause; its fix comes first. Reports for people show the two together.',
      ),
    },
  ),
};

export const INPUT_ERROR: JsonSchema = {
  title: 'InputError',
  description: 'A part of the input that could not be read or judged. Everything else was.',
  ...object({
    code: text('Stable code.'),
    message: text('What is wrong and how to mend it.'),
    location: { anyOf: [LOCATION, { type: 'null' }] },
  }),
};

const NOTE: JsonSchema = {
  title: 'Note',
  description: 'Something that was left out without an error.',
  ...object({
    code: oneOfText('Stable code.', Object.keys(NOTES)),
    message: text('What was left out, why, and what to do if it should not be.'),
    count: whole('How many files, documents or names it is about.', 1),
    first: list('The first of them, at most 20.', text('Name.')),
  }),
};

const UNCHECKED = list(
  'Resources of kinds that no selected rule covers, the most frequent kind first. A rule for every kind (`*`) does not count.',
  {
    title: 'UncheckedKind',
    ...object({ kind: text('`Kind`, or `group/Kind` for a custom resource.'), count: whole('Resources.', 1) }),
  },
);

const score = (description: string) => ({ description, type: ['number', 'null'], minimum: 0, maximum: 100 });

const SCORE: JsonSchema = {
  title: 'Score',
  ...object({
    overall: score('0 to 100; null if less than half of the input could be read, or no rule covers any of it.'),
    by_category: { description: 'By category code; null where no rule applied.', type: 'object', additionalProperties: score('0 to 100.') },
    grade: {
      description: 'Null without a score, and if fewer than half of the resources were checked.',
      enum: ['A', 'B', 'C', 'D', 'F', null],
    },
    score_without_waivers: score('As if nothing were suppressed.'),
    coverage: { description: 'Resources judged divided by resources found.', type: 'number', minimum: 0, maximum: 1 },
    low: score('With all that is unknown failing.'),
    high: score('With all that is unknown passing.'),
  }),
};

const TRUNCATION: JsonSchema = {
  title: 'Truncation',
  ...object({ shown: whole('Entries of the list in the answer.'), total: whole('Entries that there are.', 1) }),
};

const SUMMARY: JsonSchema = {
  title: 'Summary',
  ...object({
    resources: whole('Resources read.'),
    unchecked: UNCHECKED,
    rules: whole('Rules that were selected.'),
    findings: whole('Findings with status `fail`.'),
    suppressed: whole('Findings with status `suppressed`.'),
    errors: whole('Errors.'),
    by_severity: object(Object.fromEntries(SEVERITIES.map((severity) => [severity, whole(`Findings of severity ${severity}.`)]))),
    by_category: { description: 'Findings by category code.', type: 'object', additionalProperties: whole('Findings.') },
  }),
};

/** Which lists of an answer are not complete. */
const truncatedLists = (...lists: readonly string[]): JsonSchema => ({
  description: 'Absent if every list is complete. Which lists are not: how many entries are shown, and how many there are.',
  ...object({}, Object.fromEntries(lists.map((name) => [name, TRUNCATION]))),
});

/** The members of every report, for those that have more of them. */
export const REPORT_MEMBERS = {
  findings: list('In the order of files, lines and rules.', FINDING),
  errors: list('Parts of the input that could not be read or judged.', INPUT_ERROR),
  notes: list('What was left out without an error.', NOTE),
  score: SCORE,
  summary: SUMMARY,
};

export const EVALUATION_REPORT: JsonSchema = {
  title: 'EvaluationReport',
  ...object(REPORT_MEMBERS, { compliance: COMPLIANCE_REPORT, truncated: truncatedLists('findings', 'errors') }),
};

export const COMPARISON: JsonSchema = {
  title: 'Comparison',
  ...object(
    {
      verdict: oneOfText(
        'By the most severe level at which the numbers of introduced and resolved findings differ; `incomplete` if something of the proposed configuration could not be read or evaluated.',
        ['improved', 'regressed', 'unchanged', 'incomplete'],
      ),
      score: object({
        current: score('Score of the current configuration.'),
        proposed: score('Score of the proposed one.'),
        delta: { ...number('Proposed minus current.'), type: ['number', 'null'] },
      }),
      introduced: list('Findings that only the proposed configuration has.', FINDING),
      resolved: list('Findings that only the current configuration has.', FINDING),
      unchanged: whole('Number of findings that both have.'),
      not_comparable: whole(
        'Introduced findings in files that could not be read on the current side: they may not be new, and do not count.',
      ),
      changes: list('Resources that differ.', {
        title: 'ResourceChange',
        ...object({
          resource: RESOURCE,
          change: oneOfText('What happened to it.', ['added', 'removed', 'modified']),
          paths: list('What differs in a modified resource.', text('JSON Pointer.')),
        }),
      }),
      errors: list('Parts of either side that could not be read.', INPUT_ERROR),
      notes: list('What was left out of either side without an error.', NOTE),
      unchecked: object({ current: UNCHECKED, proposed: UNCHECKED }),
    },
    { ...COMPARISON_ADDITIONS, truncated: truncatedLists('introduced', 'resolved', 'changes', 'errors') },
  ),
};
