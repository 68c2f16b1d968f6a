import { operationTool } from '@bylaw/core/operation';
import type { Tool } from '@bylaw/core/plugin';
import { OPERATIONS, WORKER } from './operations.js';

/** The tools of this plugin: each answers what its REST twin answers. */
export const carbonTools: readonly Tool[] = [
  {
    name: 'estimate_carbon',
    description:
      'Estimates energy (kWh) and greenhouse gas emissions (kg CO2e) of what runs, or would run: Kubernetes manifests, a Terraform plan, rows of a cloud bill, or a list of instances. Every figure has a range and every factor its source. With `compare.proposed` it answers what a change does, and how sure that is. Name `provider` and `region`; manifests do not say them.',
    inputSchema: OPERATIONS.estimate.body,
    handler: (args, _services, signal) => operationTool(WORKER, 'estimate', args, signal),
  },
  {
    name: 'report_carbon',
    description:
      'Reports emissions for people and inventories: totals with ranges, lines of the GHG Protocol, tables by group, the change since a baseline split into activity, efficiency, grid and embodied effects, whether a target is met, and reductions, each estimated (cleaner region, Arm, smaller machine, working hours). Takes what estimate_carbon takes, or a saved answer of it as `estimate`, or several `periods`.',
    inputSchema: OPERATIONS.report.body,
    handler: (args, _services, signal) => operationTool(WORKER, 'report', args, signal),
  },
];
