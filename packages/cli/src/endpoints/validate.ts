import { compiledModule, defineEndpoint, EVALUATIONS } from '@bylaw/core/endpoint';
import { type ComparedInput, type Comparison, compareConfigurations, limitComparison } from '@bylaw/core/evaluate';
import type { EvaluationContext } from '@bylaw/core/operation';
import { comparisonSchema } from '@bylaw/core/schemas';
import {
  DEFAULT_LIMIT,
  filtersOf,
  type InputBody,
  inputsOf,
  packBreaches,
  VALIDATE_BODY_SCHEMA,
  type ValidateBody,
  writeComparison,
} from '@bylaw/core/service';
import { placeWith } from '@bylaw/core/workload';
import { SELECTION_PROBLEMS } from './evaluate.js';

export const validate = defineEndpoint<ValidateBody, Comparison>({
  id: 'validate',
  method: 'POST',
  path: '/api/v1/validate',
  tag: 'evaluation',
  summary: 'Compare current versus proposed configuration.',
  input: { title: 'ValidateRequest', ...VALIDATE_BODY_SCHEMA },
  output: { description: 'How the change affects the findings.', schema: comparisonSchema({}) },
  examples: [
    {
      summary: 'A change that makes a container privileged',
      input: {
        current: { content: 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n' },
        proposed: {
          content:
            'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx, securityContext: {privileged: true}}]}\n',
        },
        place: { provider: 'aws', region: 'us-east-1' },
      },
    },
  ],
  problems: SELECTION_PROBLEMS,
  check: async (body, { catalogue }) => packBreaches(body, await catalogue()),
  write: async (body, _, { catalogue, clock, evaluation }, out) => {
    const { limit = DEFAULT_LIMIT } = body;
    const { defaults, readers, place, comparers } = await evaluation();
    const request = {
      ...filtersOf(body, defaults),
      current: sideOf(body.current, readers),
      proposed: sideOf(body.proposed, readers),
      place: placeWith(body.place ?? {}, place),
    };
    const comparison = await compareConfigurations(await catalogue(), request, clock, comparers);
    await writeComparison(limit === 0 ? comparison : limitComparison(comparison, limit), out);
  },
  thread: { module: compiledModule(import.meta.url), kind: EVALUATIONS },
  tool: {
    name: 'validate',
    description:
      'Compares a current with a proposed configuration: which findings the change introduces and resolves, and its verdict (improved, unchanged, regressed or incomplete). `current` and `proposed` each have exactly one of `content`, `manifests` or `files`.',
  },
});

function sideOf(body: InputBody, readers: EvaluationContext['readers']): ComparedInput {
  return { inputs: inputsOf(body, readers), inputErrors: body.input_errors ?? [], inputNotes: body.input_notes ?? [] };
}
