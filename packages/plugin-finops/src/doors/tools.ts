import { operationTool } from '@bylaw/core/operation';
import type { Tool } from '@bylaw/core/plugin';
import { MODULE, OPERATIONS } from './operations.js';

/** The tools of this plugin. */
export const finopsTools: readonly Tool[] = [
  {
    name: 'detect_cost_anomalies',
    description:
      'Finds unexpected changes in cloud cost, with the drivers, causes and cost impact of each. Pass exactly one of `series`, `focus_rows` (rows of a FOCUS bill, or of an AWS, Google Cloud or Azure export) and `focus_csv`.',
    inputSchema: OPERATIONS.anomalies.body,
    handler: (args, { threads }, signal) => operationTool(threads, MODULE, 'anomalies', args, signal),
  },
  {
    name: 'forecast_cost',
    description:
      'Forecasts cloud cost with prediction intervals, monthly totals, the chance of exceeding a budget, and a backtest on past data. Pass exactly one of `series`, `focus_rows` and `focus_csv`, as for detect_cost_anomalies.',
    inputSchema: OPERATIONS.forecast.body,
    handler: (args, { threads }, signal) => operationTool(threads, MODULE, 'forecast', args, signal),
  },
];
