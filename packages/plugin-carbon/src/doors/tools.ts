import { BylawError } from '@bylaw/core/errors';
import type { Tool } from '@bylaw/core/plugin';
import { ESTIMATE_ANSWER } from './estimate-answer.js';
import { ESTIMATE_BODY_SCHEMA } from './estimate-schema.js';
import type { OperationName } from './operations.js';
import { answerInThread } from './thread.js';

/** The tools of this plugin: each answers what its REST twin answers. */
export const carbonTools: readonly Tool[] = [
  {
    name: 'estimate_carbon',
    description:
      'Estimates energy (kWh) and greenhouse gas emissions (kg CO2e) of what runs, or would run: Kubernetes manifests, a Terraform plan, rows of a cloud bill, or a list of instances. Every figure has a range and every factor its source. With `compare.proposed` it answers what a change does, and how sure that is. Name `provider` and `region`; manifests do not say them.',
    inputSchema: ESTIMATE_BODY_SCHEMA,
    outputSchema: { ...ESTIMATE_ANSWER, type: 'object' },
    handler: (args, _services, signal) => answered('estimate', args, signal),
  },
];

async function answered(operation: OperationName, args: object, signal: AbortSignal): Promise<object> {
  const answer = await answerInThread({ operation, body: new TextEncoder().encode(JSON.stringify(args)) }, signal);
  if ('body' in answer) return JSON.parse(new TextDecoder().decode(answer.body)) as object; // made there
  if ('problem' in answer) throw new BylawError('usage', 'The arguments do not match the schema.');
  const { code, message, hint } = answer.error;
  throw new BylawError({ code, exit: 2 }, message, hint === undefined ? {} : { hint });
}
