import type { JsonSchema } from '../route.js';
import { SEVERITY } from './finding.js';
import { list, object, text, whole } from './json-schema.js';

/** JSON Schemas of rules, as REST and tool answers carry them. */

const summary = {
  id: text('Identifier, `<CATEGORY>-<NNN>`.'),
  category: text('Category code, the prefix of the identifier.'),
  severity: SEVERITY,
  title: text('Requirement that the rule checks.'),
  targets: list(
    'What the rule checks.',
    text('`PodSpec`, `Kind`, `group/Kind`, `group/*`, `*` or a Terraform resource type; ` +set` if the rule also reads other resources.'),
  ),
  frameworks: list('Controls that the rule supports.', text('`NAME-VERSION:ITEM`.')),
};

export const RULE_LIST: JsonSchema = {
  title: 'RuleList',
  ...object({
    rules: list('In the order of category and identifier.', { title: 'RuleSummary', ...object(summary) }),
    total: whole('Number of rules that match the filters, regardless of `limit` and `offset`.'),
    installed: whole('Number of installed rules in the requested categories, or in all categories.'),
    not_installed: list('Requested categories that have no installed rule.', text('Category code.')),
  }),
};

const logic = object(
  { targets: summary.targets, expression: text('CEL expression; the rule passes if it is true.') },
  {
    each: {
      description: 'Items that the rule checks one by one.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
    when: text('CEL expression; the rule does not apply if it is false.'),
    path: text('JSON Pointer of the finding, relative to the resource or item that the rule checks.'),
    line: text('CEL expression: the line that the finding is about, in the text at its `path`; 0 for the whole text.'),
    message: text('CEL expression: the message of the finding.'),
    caused_by: list(
      'Rules that may be the cause of a failure.',
      object(
        { rules: list('The most likely cause first.', text('Identifier.')) },
        { when: text('CEL expression; the rules are not the cause if it is false.') },
      ),
    ),
    edit: { description: 'The safe, local fix as data: what to set, what to add to lists, what to remove, and when.', type: 'object' },
  },
);

export const RULE: JsonSchema = {
  title: 'Rule',
  ...object(
    {
      ...summary,
      description: text('Why it matters.'),
      logic: list('Logic of the rule, by group of targets.', logic),
      fix: text('What to change.'),
      references: list('Further reading.', text('Web address.')),
      peers: list('Checks of other tools that are the same or similar.', text('`tool:check`.')),
      examples: list('Inputs that the rule is tested with.', { type: 'object' }),
      pack: text('The rule pack that contains the rule.'),
      config: {
        description: 'Settings of the pack that the rule reads, each as JSON Schema with a default.',
        type: 'object',
        additionalProperties: { type: 'object' },
      },
    },
    {
      set: {
        description: 'What the rule reads from other resources: JSON Pointers by kind.',
        type: 'object',
        additionalProperties: list('Pointers.', text('JSON Pointer.')),
      },
    },
  ),
};
