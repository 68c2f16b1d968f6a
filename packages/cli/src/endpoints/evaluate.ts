import { compiledModule, defineEndpoint, type EndpointProblem, EVALUATIONS, sayHint } from '@bylaw/core/endpoint';
import { SELECTION_ERRORS } from '@bylaw/core/errors';
import { createEngine, type EvaluationReport, limitEvents } from '@bylaw/core/evaluate';
import { EVALUATION_REPORT } from '@bylaw/core/schemas';
import { DEFAULT_LIMIT, EVALUATE_BODY_SCHEMA, type EvaluateBody, evaluationOf, packBreaches, writeReport } from '@bylaw/core/service';

/** What can be wrong with the rules that a request selects. */
export const SELECTION_PROBLEMS: readonly EndpointProblem[] = SELECTION_ERRORS.map((code) => ({
  error: code,
  problem: code,
  say: sayHint,
}));

export const evaluate = defineEndpoint<EvaluateBody, EvaluationReport>({
  id: 'evaluate',
  method: 'POST',
  path: '/api/v1/evaluate',
  tag: 'evaluation',
  summary: 'Evaluate manifests against governance rules.',
  description: 'A document that cannot be read becomes an entry in `errors`; the others are still evaluated.',
  input: { title: 'EvaluateRequest', ...EVALUATE_BODY_SCHEMA },
  output: { description: 'Findings, errors, notes, score and summary.', schema: EVALUATION_REPORT },
  examples: [
    {
      summary: 'A Pod in YAML, against all rules',
      input: {
        content:
          'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n    - {name: web, image: nginx, securityContext: {privileged: true}}\n',
      },
    },
    {
      summary: 'Two files, against the severe rules of one category, with the status of controls',
      input: {
        files: [
          {
            path: 'web.yaml',
            content: 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n',
          },
          { path: 'config.yaml', content: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {level: info}\n' },
        ],
        categories: ['CS'],
        severities: ['CRITICAL', 'HIGH'],
        frameworks: ['CIS-K8S'],
        include_compliance: true,
      },
    },
  ],
  problems: SELECTION_PROBLEMS,
  check: async (body, { catalogue }) => packBreaches(body, await catalogue()),
  write: async (body, _, { catalogue, clock, evaluation }, out) => {
    const { limit = DEFAULT_LIMIT } = body;
    const { defaults, readers } = await evaluation();
    const events = createEngine({ catalogue: await catalogue(), clock }).evaluate(evaluationOf(body, defaults, readers));
    await writeReport(limit === 0 ? events : limitEvents(events, limit), out);
  },
  thread: { module: compiledModule(import.meta.url), kind: EVALUATIONS },
  tool: {
    name: 'evaluate',
    description:
      'Evaluates Kubernetes manifests and Terraform plans (JSON) against the governance rules. Pass exactly one of `content` (YAML or JSON text), `manifests` (objects) or `files` (path and content). Returns findings with rule, severity, location, message and fix, errors for input that could not be read, a score and a summary; with `include_compliance`, also the status of the controls of `frameworks`.',
  },
});
