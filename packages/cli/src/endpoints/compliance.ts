import { type ComplianceMap, complianceMap } from '@bylaw/core/compliance';
import { defineEndpoint, sayHint } from '@bylaw/core/endpoint';
import { COMPLIANCE_MAP } from '@bylaw/core/schemas';
import { NAME, names } from './rules.js';

interface ComplianceInput {
  framework?: readonly string[];
}

export const getCompliance = defineEndpoint<ComplianceInput, ComplianceMap>({
  id: 'getCompliance',
  method: 'GET',
  path: '/api/v1/compliance',
  tag: 'rules',
  summary: 'Compliance framework mappings.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { framework: names('Only this framework, with or without version and item.') },
  },
  output: {
    description: 'Frameworks, their controls with the supporting rules, and the controls without rules.',
    schema: COMPLIANCE_MAP,
  },
  examples: [{ summary: 'One framework', input: { framework: ['CIS-K8S'] } }],
  problems: [{ error: 'framework-unknown', problem: 'framework-unknown', say: sayHint }],
  run: async ({ framework }, _, { catalogue }) => complianceMap((await catalogue()).rules, framework),
  tool: {
    name: 'compliance',
    description:
      'Returns the compliance frameworks with their controls, the rules that support each control, and the controls without rules.',
    arguments: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          frameworks: {
            description: 'Only these frameworks, for example CIS-K8S, with or without version and item.',
            type: 'array',
            maxItems: 100,
            items: NAME,
          },
        },
      },
      toInput: ({ frameworks }) => (frameworks === undefined ? {} : { framework: frameworks as string[] }), // as the schema says
    },
  },
});
