import { BylawError } from '@bylaw/core/errors';
import type { Tool } from '@bylaw/core/plugin';
import { ANOMALIES_BODY_SCHEMA } from './anomalies.js';
import { ANOMALIES_ANSWER } from './answer-schema.js';
import { FORECAST_BODY_SCHEMA } from './forecast.js';
import { FORECAST_ANSWER } from './forecast-schema.js';
import type { OperationName } from './operations.js';
import { answerInThread } from './thread.js';

/** The tools of this plugin. */
export const finopsTools: readonly Tool[] = [
  {
    name: 'detect_cost_anomalies',
    description:
      'Finds days on which cloud cost is not as expected, says what drives and causes each, and how much it costs. Give exactly one of `series`, `focus_rows` (rows of a FOCUS bill, or of AWS, Google Cloud or Azure) and `focus_csv`.',
    inputSchema: ANOMALIES_BODY_SCHEMA,
    outputSchema: { ...ANOMALIES_ANSWER, type: 'object' },
    handler: (args, _services, signal) => answered('anomalies', args, signal),
  },
  {
    name: 'forecast_cost',
    description:
      'Forecasts cloud cost with intervals, totals of months, and the chance that a budget is passed; says how good the forecast would have been in the past. Give exactly one of `series`, `focus_rows` and `focus_csv`, as for detect_cost_anomalies.',
    inputSchema: FORECAST_BODY_SCHEMA,
    outputSchema: { ...FORECAST_ANSWER, type: 'object' },
    handler: (args, _services, signal) => answered('forecast', args, signal),
  },
];

async function answered(operation: OperationName, args: object, signal: AbortSignal): Promise<object> {
  const answer = await answerInThread({ operation, body: new TextEncoder().encode(JSON.stringify(args)) }, signal);
  if ('body' in answer) return JSON.parse(new TextDecoder().decode(answer.body)) as object; // made there
  if ('problem' in answer) throw new BylawError('usage', 'The arguments do not match the schema.');
  const { code, message, hint } = answer.error;
  throw new BylawError({ code, exit: 2 }, message, hint === undefined ? {} : { hint });
}
