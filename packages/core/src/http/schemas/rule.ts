import type { JsonSchema } from '../route.js';
import { SEVERITY } from './finding.js';
import { list, object, text, whole } from './json-schema.js';

/** JSON Schemas of rules, as REST and tool answers carry them. */

const summary = {
  id: text('`<CATEGORY>-<NNN>`.'),
  category: text('Category code, the prefix of the identifier.'),
  severity: SEVERITY,
  title: text('What must hold.'),
  targets: list(
    'What the rule judges.',
    text('`PodSpec`, `Kind`, `group/Kind`, `group/*`, `*` or a Terraform type; ` +set` where it looks at the others too.'),
  ),
  frameworks: list('Controls that the rule supports.', text('`NAME-VERSION:ITEM`.')),
};

export const RULE_LIST: JsonSchema = {
  title: 'RuleList',
  ...object({
    rules: list('In the order of categories and identifiers.', { title: 'RuleSummary', ...object(summary) }),
    total: whole('Number of rules that the filters let through, whatever `limit` and `offset`.'),
    installed: whole('Number of installed rules in the categories asked for, or in all of them.'),
    not_installed: list('Categories asked for that have no installed rule.', text('Category code.')),
  }),
};

const logic = object(
  { targets: summary.targets, expression: text('CEL: true passes.') },
  {
    each: { description: 'What the rule judges one by one.', anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    when: text('CEL: where false the rule does not apply.'),
    path: text('JSON Pointer of the finding, relative to what is judged.'),
    line: text('CEL: the line of the text at the place of the finding that the finding is about; 0 = the whole text.'),
    message: text('CEL: the message of the finding.'),
    caused_by: list(
      'Rules that may be the cause of a failure.',
      object({ rules: list('The likeliest first.', text('Identifier.')) }, { when: text('CEL: where false they are not the cause.') }),
    ),
    edit: { description: 'The safe, local fix as data: what to set, to add to lists and to remove, and when.', type: 'object' },
  },
);

export const RULE: JsonSchema = {
  title: 'Rule',
  ...object(
    {
      ...summary,
      description: text('Why it matters.'),
      logic: list('What the rule decides, by group of targets.', logic),
      fix: text('What to change.'),
      references: list('Where to read on.', text('Web address.')),
      peers: list('Checks of other tools that are the same or nearly.', text('`tool:check`.')),
      examples: list('Inputs that the rule is tested on.', { type: 'object' }),
      pack: text('The rule pack that it comes from.'),
      config: {
        description: 'Settings of the pack that the rule reads: JSON Schema with default.',
        type: 'object',
        additionalProperties: { type: 'object' },
      },
    },
    {
      set: {
        description: 'What the rule reads of other kinds: JSON Pointers by kind.',
        type: 'object',
        additionalProperties: list('Pointers.', text('JSON Pointer.')),
      },
    },
  ),
};
