import { complianceMap } from '@bylaw/core/compliance';
import { BylawError } from '@bylaw/core/errors';
import { json, problem, type QueryValue, type Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { COMPLIANCE_MAP, RULE, RULE_LIST } from '@bylaw/core/schemas';
import { getRule, listRules, type RuleQuery } from '../doors/index.js';

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const names = (description: string) => ({
  description: `${description} Repeat the parameter to allow several values.`,
  type: 'array',
  maxItems: 100,
  items: name,
});

/** The routes that tell what rules there are. */
export function ruleRoutes({ catalogue }: Services): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/rules',
      auth: 'api-key',
      id: 'listRules',
      tag: 'rules',
      summary: 'List governance rules.',
      description: 'If you combine filters, the rules match all of them.',
      query: {
        category: names(
          'Only rules of this category. Case-insensitive. The codes of the catalogue are always valid, whether or not their rules are installed.',
        ),
        severity: names('Only rules of this severity. Case-insensitive.'),
        search: { description: 'Words that must all occur in the rule. Case-insensitive.', ...name },
        framework: names('Only rules that map to this framework, with or without version and item.'),
        limit: { description: 'Maximum number of rules to return. Absent: all.', type: 'integer', minimum: 1, maximum: 100_000 },
        offset: { description: 'Number of rules to skip.', type: 'integer', minimum: 0, maximum: 100_000 },
      },
      responses: { 200: { description: 'The rules.', schema: RULE_LIST } },
      problems: ['category-unknown', 'severity-unknown', 'framework-unknown'],
      handler: ({ query }) => json(200, listRules(catalogue, ruleQuery(query))),
    },
    {
      method: 'GET',
      path: '/api/v1/rules/{rule_id}',
      auth: 'api-key',
      id: 'getRule',
      tag: 'rules',
      summary: 'Get one rule by identifier.',
      params: { rule_id: { description: 'Identifier of the rule. Case-insensitive.', type: 'string' } },
      responses: { 200: { description: 'The rule in full.', schema: RULE } },
      handler: ({ params }) =>
        json(
          200,
          foundRule(() => getRule(catalogue, params.rule_id ?? '')),
        ),
    },
    {
      method: 'GET',
      path: '/api/v1/compliance',
      auth: 'api-key',
      id: 'getCompliance',
      tag: 'rules',
      summary: 'Compliance framework mappings.',
      query: { framework: names('Only this framework, with or without version and item.') },
      responses: {
        200: {
          description: 'Frameworks, their controls with the supporting rules, and the controls without rules.',
          schema: COMPLIANCE_MAP,
        },
      },
      problems: ['framework-unknown'],
      handler: ({ query }) =>
        json(200, complianceMap(catalogue.rules, query.framework === undefined ? undefined : textsOf(query.framework))),
    },
  ];
}

/** The schemas of the route's query say what form each value has. */
function ruleQuery(query: { readonly [name: string]: QueryValue }): RuleQuery {
  const search = textOf(query.search);
  return {
    ...(query.category !== undefined && { categories: textsOf(query.category) }),
    ...(query.severity !== undefined && { severities: textsOf(query.severity) }),
    ...(query.framework !== undefined && { frameworks: textsOf(query.framework) }),
    ...(search !== undefined && { search }),
    ...(typeof query.limit === 'number' && { limit: query.limit }),
    ...(typeof query.offset === 'number' && { offset: query.offset }),
  };
}

function textsOf(value: QueryValue): string[] {
  return [value].flat().map(String);
}

function textOf(value: QueryValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A name in the address that means nothing is a missing resource, not a wrong argument. */
function foundRule<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof BylawError) || error.code !== 'rule-unknown') throw error;
    throw problem('not-found', error.hint === undefined ? {} : { detail: error.hint });
  }
}
