import { complianceMap } from '@bylaw/core/compliance';
import { BylawError } from '@bylaw/core/errors';
import { json, problem, type QueryValue, type Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { COMPLIANCE_MAP, RULE, RULE_LIST } from '@bylaw/core/schemas';
import { getRule, listRules, type RuleQuery } from '../doors/index.js';

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const names = (description: string) => ({
  description: `${description} Given more than once: any of them.`,
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
      description: 'Filters may be combined; the rules then satisfy all of them.',
      query: {
        category: names(
          'Restrict to a category code, in any case. The codes of the catalogue are always known, whether or not their rules are installed.',
        ),
        severity: names('Restrict to a severity, in any case.'),
        search: { description: 'Words that must all occur, in any case.', ...name },
        framework: names('Restrict to rules that map to a framework, with or without version and item.'),
        limit: { description: 'The most rules to answer; all when absent.', type: 'integer', minimum: 1, maximum: 100_000 },
        offset: { description: 'How many rules to pass over.', type: 'integer', minimum: 0, maximum: 100_000 },
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
      params: { rule_id: { description: 'Identifier, in any case.', type: 'string' } },
      responses: { 200: { description: 'The whole rule.', schema: RULE } },
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
          description: 'Frameworks, their controls with the rules that support each, and the controls that none does.',
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
