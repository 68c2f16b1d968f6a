import { isObject, type JsonObject, type JsonValue, type Resource, readObject } from '@bylaw/core/resource';
import type { Provider } from '../factors/index.js';
import type { CarbonItem, Spread } from './carbon-item.js';
import { exactly, type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { TERRAFORM_READERS, type TerraformPart } from './terraform-readers.js';
import { instanceItem, unknownType } from './usage-items.js';

/**
 * Machines, databases, caches, node pools and disks of a Terraform plan or state (`terraform show -json`).
 * What depends on values that are known only after apply is not estimated.
 */
export function terraformItems(plan: { readonly [name: string]: unknown }, context: ItemContext): ReadItems {
  const { resources, errors } = readObject(plan, { file: 'terraform', document: 0 });
  const read: ReadItems = { items: [], unestimated: [], warnings: [] };
  for (const { message } of errors) read.warnings.push({ code: 'malformed', message, path: '/terraform' });
  const regions = providerRegions(plan);
  for (const resource of resources) {
    if (resource.terraform?.mode !== 'managed') continue;
    const reader = TERRAFORM_READERS.get(resource.terraform.type);
    if (reader === undefined) continue;
    const found = reader.read(resource.object);
    if (typeof found === 'string') read.unestimated.push({ id: resource.name, reason: missing(resource, found) });
    else for (const part of found) addPart(read, resource, reader.provider, part, withRegion(context, part, regions.get(reader.provider)));
  }
  return read;
}

function addPart(read: ReadItems, resource: Resource, provider: Provider, part: TerraformPart, context: ItemContext): void {
  const id = part.suffix === undefined ? resource.name : `${resource.name}#${part.suffix}`;
  const common = { id, source: 'terraform' as const, provider, hours: context.periodHours };
  const item =
    part.type === undefined ? undefined : instanceItem({ ...common, instance_type: part.type, count: part.count.central }, context);
  if (part.type !== undefined && item === undefined) {
    read.unestimated.push({ id, reason: unknownType(provider) });
    return;
  }
  const base = item ?? storageItem(id, provider, context);
  read.items.push({
    ...base,
    count: part.count,
    unit: { ...base.unit, ssdGb: part.ssdGb ?? 0, hddGb: part.hddGb ?? 0 },
    groups: { ...groupsOf(resource.object), service: resource.terraform?.type ?? '' },
  });
}

function storageItem(id: string, provider: Provider, context: ItemContext): CarbonItem {
  return {
    ...{ id, source: 'terraform', provider, region: context.region ?? '', groups: {}, unit: NO_UNIT },
    ...{ hours: exactly(context.periodHours), count: exactly(1) as Spread, shared: false, notes: [] },
  };
}

function groupsOf(object: JsonObject): { [name: string]: string } {
  const tags = isObject(object.tags) ? object.tags : isObject(object.labels) ? object.labels : {};
  return Object.fromEntries(Object.entries(tags).flatMap(([name, value]) => (typeof value === 'string' ? [[`tag:${name}`, value]] : [])));
}

/** An argument that is missing is often known only after apply. */
function missing({ terraform }: Resource, argument: string): string {
  const unknown = terraform?.unknown;
  const after = unknown === true || (isObject(unknown) && unknown[argument.split('.')[0] ?? ''] !== undefined);
  return argument.includes(' ') ? argument : after ? `\`${argument}\` is known only after apply.` : `\`${argument}\` is not set.`;
}

function withRegion(context: ItemContext, part: TerraformPart, configured: string | undefined): ItemContext {
  return { ...context, region: part.region ?? configured ?? context.region };
}

/** Regions that are written into the configuration of the providers. */
function providerRegions(plan: { readonly [name: string]: unknown }): ReadonlyMap<Provider, string> {
  const configuration = plan['configuration'] as JsonValue | undefined; // looked at, not trusted
  const providers = isObject(configuration) && isObject(configuration.provider_config) ? configuration.provider_config : {};
  const regions = new Map<Provider, string>();
  for (const [name, provider] of [
    ['aws', 'aws'],
    ['google', 'gcp'],
  ] as const) {
    const own = providers[name];
    const expressions = isObject(own) && isObject(own.expressions) ? own.expressions : {};
    const region = isObject(expressions.region) ? expressions.region.constant_value : undefined;
    if (typeof region === 'string') regions.set(provider, region);
  }
  return regions;
}
