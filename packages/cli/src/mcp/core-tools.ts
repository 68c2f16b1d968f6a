import { complianceMap } from '@bylaw/core/compliance';
import { problem, requestCheck } from '@bylaw/core/http';
import type { Services, Tool } from '@bylaw/core/plugin';
import { EVALUATE_BODY_SCHEMA, type Operation, type RequestPool, VALIDATE_BODY_SCHEMA, wholeBody } from '@bylaw/core/service';
import { getRule, listRules } from '../doors/index.js';
import { getScoreHistory, getScoreTrend } from '../scores/index.js';
import { evaluationProblem } from '../server/evaluation-problem.js';
import { AnswerTooLargeError, MAX_ANSWER_BYTES } from './answer-size.js';
import { answeredBy, endpointTools, type OfferedTool } from './offered-tool.js';

/** The tools of core. */
export function coreTools(services: Services, pool: () => RequestPool): OfferedTool[] {
  const answered = (tool: Tool) => answeredBy(tool, services);
  return [
    answered(listRulesTool),
    answered(getRuleTool),
    evaluationTool('evaluate', EVALUATE, services, pool),
    evaluationTool('validate', VALIDATE, services, pool),
    answered(complianceTool),
    ...endpointTools([getScoreHistory, getScoreTrend], services),
  ];
}

const text = (description: string) => ({ description, type: 'string', minLength: 1, maxLength: 200 });

const listRulesTool: Tool = {
  name: 'list_rules',
  description:
    'Lists governance rules with identifier, category, severity, title, targets and frameworks. Without arguments, lists all rules.',
  inputSchema: {
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
  handler: async (args, { catalogue }) => {
    const { category, severity, framework, ...rest } = args as ListArguments; // they have passed the schema
    return listRules(catalogue, {
      ...rest,
      ...(category !== undefined && { categories: [category] }),
      ...(severity !== undefined && { severities: [severity] }),
      ...(framework !== undefined && { frameworks: [framework] }),
    });
  },
};

interface ListArguments {
  category?: string;
  severity?: string;
  search?: string;
  framework?: string;
  limit?: number;
  offset?: number;
}

const getRuleTool: Tool = {
  name: 'get_rule',
  description: 'Returns one rule in full: why it matters, what it checks (CEL), how to fix a finding, and failing and passing examples.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: text('Identifier of the rule, for example CS-001. Case-insensitive.') },
  },
  handler: async ({ id }, { catalogue }) => getRule(catalogue, String(id)),
};

const complianceTool: Tool = {
  name: 'compliance',
  description:
    'Returns the compliance frameworks with their controls, the rules that support each control, and the controls without rules.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      frameworks: {
        description: 'Only these frameworks, for example CIS-K8S, with or without version and item.',
        type: 'array',
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 200 },
      },
    },
  },
  handler: async ({ frameworks }, { catalogue }) => complianceMap(catalogue.rules, frameworks as string[] | undefined), // as the schema says
};

interface EvaluationTool {
  description: string;
  inputSchema: OfferedTool['inputSchema'];
}

const EVALUATE: EvaluationTool = {
  description:
    'Evaluates Kubernetes manifests and Terraform plans (JSON) against the governance rules. Pass exactly one of `content` (YAML or JSON text), `manifests` (objects) or `files` (path and content). Returns findings with rule, severity, location, message and fix, errors for input that could not be read, a score and a summary; with `include_compliance`, also the status of the controls of `frameworks`.',
  inputSchema: EVALUATE_BODY_SCHEMA,
};

const VALIDATE: EvaluationTool = {
  description:
    'Compares a current with a proposed configuration: which findings the change introduces and resolves, and its verdict (improved, unchanged, regressed or incomplete). `current` and `proposed` each have exactly one of `content`, `manifests` or `files`.',
  inputSchema: VALIDATE_BODY_SCHEMA,
};

/** Runs on a worker thread: a large manifest must not keep the client's pings and cancellations waiting. */
function evaluationTool(
  operation: Operation,
  { description, inputSchema }: EvaluationTool,
  { clock }: Services,
  pool: () => RequestPool,
): OfferedTool {
  return {
    name: operation,
    description,
    inputSchema,
    check: requestCheck(inputSchema),
    answer: async (args, signal) => {
      const body = new Uint8Array(Buffer.from(JSON.stringify(args)));
      const answered = await pool()
        .request(operation, body, clock.now().toISOString().slice(0, 10), { signal })
        .catch((error: unknown) => {
          throw evaluationProblem(error);
        });
      if ('problem' in answered) {
        const { code, ...options } = answered.problem;
        throw problem(code, options);
      }
      const whole = await wholeBody(answered.body, MAX_ANSWER_BYTES);
      if (!whole) throw new AnswerTooLargeError();
      return new TextDecoder().decode(whole);
    },
  };
}
