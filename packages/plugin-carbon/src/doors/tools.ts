import { operationTool } from '@bylaw/core/operation';
import type { Tool } from '@bylaw/core/plugin';
import { MODULE, OPERATIONS } from './operations.js';

/** The tools of this plugin: each answers what its REST twin answers. */
export const carbonTools: readonly Tool[] = [
  {
    name: 'estimate_carbon',
    description:
      'Estimates energy (kWh) and greenhouse gas emissions (kg CO2e) of current or planned workloads: Kubernetes manifests, a Terraform plan, rows of a cloud bill, or a list of instances. Every figure has a range, and every factor a source. With `compare.proposed`, the answer includes the effect of a change and its probability. Set `provider` and `region`, because manifests do not specify them.',
    inputSchema: OPERATIONS.estimate.body,
    handler: (args, { threads }, signal) => operationTool(threads, MODULE, 'estimate', args, signal),
  },
  {
    name: 'report_carbon',
    description:
      'Reports emissions for readers and inventories: totals with ranges, GHG Protocol lines, tables by group, the change since a baseline split into activity, efficiency, grid and embodied effects, whether a target is met, and estimated reductions (cleaner region, Arm, smaller machine, working hours). Takes the arguments of estimate_carbon, or a saved answer of it as `estimate`, or several `periods`.',
    inputSchema: OPERATIONS.report.body,
    handler: (args, { threads }, signal) => operationTool(threads, MODULE, 'report', args, signal),
  },
];
