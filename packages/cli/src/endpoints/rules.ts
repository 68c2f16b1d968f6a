import { defineEndpoint, sayHint } from '@bylaw/core/endpoint';
import { RULE, RULE_LIST } from '@bylaw/core/schemas';
import { type RuleDocument, getRule as ruleDocument } from '../rules/rule-document.js';
import type { RuleList } from '../rules/rule-list.js';

/** A name in a query. */
export const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** Names in a query: several parameters of one name. */
export const names = (description: string) => ({
  description: `${description} Repeat the parameter to allow several values.`,
  type: 'array',
  maxItems: 100,
  items: NAME,
});

interface RulesInput {
  category?: readonly string[];
  severity?: readonly string[];
  search?: string;
  framework?: readonly string[];
  limit?: number;
  offset?: number;
}

const text = (description: string) => ({ description, ...NAME });

export const listRules = defineEndpoint<RulesInput, RuleList>({
  id: 'listRules',
  method: 'GET',
  path: '/api/v1/rules',
  tag: 'rules',
  summary: 'List governance rules.',
  description: 'If you combine filters, the rules match all of them.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      category: names(
        'Only rules of this category. Case-insensitive. The codes of the catalogue are always valid, whether or not their rules are installed.',
      ),
      severity: names('Only rules of this severity. Case-insensitive.'),
      search: text('Words that must all occur in the rule. Case-insensitive.'),
      framework: names('Only rules that map to this framework, with or without version and item.'),
      limit: { description: 'Maximum number of rules to return. Absent: all.', type: 'integer', minimum: 1, maximum: 100_000 },
      offset: { description: 'Number of rules to skip.', type: 'integer', minimum: 0, maximum: 100_000 },
    },
  },
  output: { description: 'The rules.', schema: RULE_LIST },
  examples: [{ summary: 'Severe rules about secrets', input: { category: ['SP'], severity: ['CRITICAL', 'HIGH'], limit: 10 } }],
  problems: (['category-unknown', 'severity-unknown', 'framework-unknown'] as const).map((code) => ({
    error: code,
    problem: code,
    say: sayHint,
  })),
  run: async ({ category, severity, framework, ...rest }, _, { catalogue }) => {
    const { listRules: list } = await import('../rules/rule-list.js'); // showing one rule does not need what selects many
    return list(await catalogue(), {
      ...rest,
      ...(category && { categories: category }),
      ...(severity && { severities: severity }),
      ...(framework && { frameworks: framework }),
    });
  },
  tool: {
    name: 'list_rules',
    description:
      'Lists governance rules with identifier, category, severity, title, targets and frameworks. Without arguments, lists all rules.',
    arguments: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          category: text('Only rules of this category, for example CS (container security) or SP (secrets). Case-insensitive.'),
          severity: text('Only rules of this severity: CRITICAL, HIGH, MEDIUM, LOW or INFO. Case-insensitive.'),
          search: text('Words that must all occur in the rule. Case-insensitive.'),
          framework: text('Only rules that map to this framework, for example CIS-K8S or PSS-BASELINE.'),
          limit: { description: 'Maximum number of rules to return.', type: 'integer', minimum: 1 },
          offset: { description: 'Number of rules to skip.', type: 'integer', minimum: 0 },
        },
      },
      // An agent asks for one value of each.
      toInput: (args) =>
        Object.fromEntries(Object.entries(args).map(([name, value]) => [name, LISTS.includes(name) ? [value] : value])) as RulesInput,
    },
  },
});

const LISTS: readonly string[] = ['category', 'severity', 'framework'];

export const getRule = defineEndpoint<{ rule_id: string }, RuleDocument>({
  id: 'getRule',
  method: 'GET',
  path: '/api/v1/rules/{rule_id}',
  tag: 'rules',
  summary: 'Get one rule by identifier.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['rule_id'],
    properties: { rule_id: { description: 'Identifier of the rule. Case-insensitive.', type: 'string' } },
  },
  output: { description: 'The rule in full.', schema: RULE },
  examples: [{ summary: 'A rule about privileged containers', input: { rule_id: 'CS-001' } }],
  // A name in the address that means nothing is a missing resource, not a wrong argument.
  problems: [{ error: 'rule-unknown', problem: 'not-found', say: sayHint }],
  run: async ({ rule_id: id }, _, { catalogue }) => ruleDocument(await catalogue(), id),
  tool: {
    name: 'get_rule',
    description: 'Returns one rule in full: why it matters, what it checks (CEL), how to fix a finding, and failing and passing examples.',
    arguments: {
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: { id: text('Identifier of the rule, for example CS-001. Case-insensitive.') },
      },
      toInput: ({ id }) => ({ rule_id: String(id) }),
    },
  },
});
