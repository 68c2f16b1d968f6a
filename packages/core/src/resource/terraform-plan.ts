import type { UnknownValue } from '../undecided.js';
import type { Extraction, Origin } from './extraction.js';
import type { TerraformFacts } from './input/input.js';
import type { Resource } from './resource.js';
import { templatesByAddress, withoutIndices } from './terraform-templates.js';
import { isObject, type JsonObject, type JsonValue } from './text/json.js';
import { joinPointer } from './text/pointer.js';

/**
 * Resources of `terraform show -json`, for a plan (`planned_values`) or a state (`values`). A resource that the plan deletes is in neither.
 * Format: "JSON Output Format", https://developer.hashicorp.com/terraform/internals/json-format.
 */

export function isTerraformPlan(value: JsonObject): boolean {
  return typeof value.format_version === 'string' && (isObject(value.planned_values) || isObject(value.values));
}

/** Adds the resources of all modules. Their `object` holds the values of the arguments, their name is the address. */
export function terraformResources(result: Extraction, plan: JsonObject, origin: Origin): void {
  const facts = { unknown: unknownByAddress(plan), regions: providerRegions(plan), templates: templatesByAddress(plan) };
  const seen = new Set<string>();
  for (const member of ['planned_values', 'values']) {
    for (const found of resourcesIn(plan[member], `/${member}`)) {
      const resource = toResource(found, origin, facts);
      if (resource === undefined) result.errors.push(incomplete(found, origin));
      else {
        seen.add(resource.name);
        result.resources.push(resource);
      }
    }
  }
  // Data sources that were read while planning are in the prior state only.
  const priorState = isObject(plan.prior_state) ? plan.prior_state.values : undefined;
  for (const found of resourcesIn(priorState, '/prior_state/values')) {
    const resource = found.value.mode === 'data' ? toResource(found, origin, facts) : undefined;
    if (resource !== undefined && !seen.has(resource.name)) result.resources.push(resource);
  }
}

/** What the plan says in addition to the values. */
interface PlanFacts {
  unknown: ReadonlyMap<string, UnknownValue[]>;
  regions: ReadonlyMap<string, string>;
  templates: ReadonlyMap<string, string>;
}

interface Found {
  value: JsonObject;
  pointer: string;
  module: string;
}

function resourcesIn(values: JsonValue | undefined, pointer: string): Found[] {
  const found: Found[] = [];
  if (isObject(values)) visitModule(found, values.root_module, `${pointer}/root_module`);
  return found;
}

function visitModule(found: Found[], module: JsonValue | undefined, pointer: string): void {
  if (!isObject(module)) return;
  const address = typeof module.address === 'string' ? module.address : '';
  for (const [index, value] of listOf(module.resources).entries()) {
    if (isObject(value)) found.push({ value, pointer: `${pointer}/resources/${index}`, module: address });
  }
  for (const [index, child] of listOf(module.child_modules).entries()) visitModule(found, child, `${pointer}/child_modules/${index}`);
}

function toResource(found: Found, origin: Origin, { unknown, regions, templates }: PlanFacts): Resource | undefined {
  const { address, type, mode, provider_name: provider, values } = found.value;
  if (typeof address !== 'string' || typeof type !== 'string') return undefined;
  const unknownValues = unknown.get(address);
  const region = regions.get(type.slice(0, type.indexOf('_')));
  const template = templates.size === 0 ? undefined : templates.get(withoutIndices(address));
  const terraform: TerraformFacts = {
    mode: mode === 'data' ? 'data' : 'managed',
    type,
    provider: typeof provider === 'string' ? provider : '',
    module: found.module,
    ...(region !== undefined && { region }),
    ...(template !== undefined && { template }),
  };
  const { places, file, document } = origin;
  return {
    apiVersion: 'terraform',
    kind: terraform.mode === 'data' ? `data.${type}` : type,
    name: address,
    object: isObject(values) ? values : {},
    // A plan is of one root module.
    group: `${file}#${document}`,
    source: { file, document, ...places.position(found.pointer) },
    terraform,
    ...(unknownValues !== undefined && { unknown: unknownValues }),
    position: (pointer, line) => places.position(pointer === '' ? found.pointer : `${found.pointer}/values${pointer}`, line),
  };
}

function incomplete(found: Found, origin: Origin): Extraction['errors'][number] {
  return {
    code: 'malformed',
    message:
      'This resource of the Terraform plan has no address or no type. Generate the file again: terraform show -json <plan> > plan.json',
    location: { file: origin.file, ...origin.places.position(found.pointer) },
  };
}

/** By the name of the provider, which resource types begin with. */
function providerRegions(plan: JsonObject): ReadonlyMap<string, string> {
  const configuration = isObject(plan.configuration) ? plan.configuration.provider_config : undefined;
  const regions = new Map<string, string>();
  for (const name of ['aws', 'google']) {
    const own = isObject(configuration) ? configuration[name] : undefined;
    const expression = isObject(own) && isObject(own.expressions) ? own.expressions.region : undefined;
    const region = isObject(expression) ? expression.constant_value : undefined;
    if (typeof region === 'string' && region !== '') regions.set(name, region);
  }
  return regions;
}

function unknownByAddress(plan: JsonObject): ReadonlyMap<string, UnknownValue[]> {
  const unknown = new Map<string, UnknownValue[]>();
  for (const change of listOf(plan.resource_changes)) {
    if (!isObject(change) || typeof change.address !== 'string' || !isObject(change.change)) continue;
    const values = markedIn(change.change.after_unknown, '');
    if (values.length > 0) unknown.set(change.address, values);
  }
  return unknown;
}

/** `after_unknown` has the shape of the object, with `true` in the place of each value that is known only after apply. */
function markedIn(value: JsonValue | undefined, pointer: string): UnknownValue[] {
  if (value === true) return [{ pointer, reason: 'unknown-value', message: 'The value is known only after apply.' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => markedIn(member, joinPointer(pointer, key)));
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
