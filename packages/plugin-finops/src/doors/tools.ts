import { operationTool } from '@bylaw/core/operation';
import type { Tool } from '@bylaw/core/plugin';
import { OPERATIONS, WORKER } from './operations.js';

/** The tools of this plugin. */
export const finopsTools: readonly Tool[] = [
  {
    name: 'detect_cost_anomalies',
    description:
      'Finds days on which cloud cost is not as expected, says what drives and causes each, and how much it costs. Give exactly one of `series`, `focus_rows` (rows of a FOCUS bill, or of AWS, Google Cloud or Azure) and `focus_csv`.',
    inputSchema: OPERATIONS.anomalies.body,
    handler: (args, _services, signal) => operationTool(WORKER, 'anomalies', args, signal),
  },
  {
    name: 'forecast_cost',
    description:
      'Forecasts cloud cost with intervals, totals of months, and the chance that a budget is passed; says how good the forecast would have been in the past. Give exactly one of `series`, `focus_rows` and `focus_csv`, as for detect_cost_anomalies.',
    inputSchema: OPERATIONS.forecast.body,
    handler: (args, _services, signal) => operationTool(WORKER, 'forecast', args, signal),
  },
];
