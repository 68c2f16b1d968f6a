import type { Extraction, Origin } from './extract.js';
import type { JsonObject } from './resource.js';

export function isTerraformPlan(value: JsonObject): boolean {
  return typeof value.format_version === 'string' && ('planned_values' in value || 'values' in value);
}

export function terraformResources(_result: Extraction, _plan: JsonObject, _origin: Origin): void {}
