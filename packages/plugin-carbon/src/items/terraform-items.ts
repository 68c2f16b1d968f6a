import { isObject, type JsonObject, type Resource, readObject } from '@bylaw/core/resource';
import { exactly, type Provider, type TerraformPart, terraformParts, terraformTemplates } from '@bylaw/core/workload';
import type { CarbonItem } from './carbon-item.js';
import { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { instanceItem, unknownType } from './usage-items.js';

/**
 * Machines, databases, caches, node pools and disks of a Terraform plan or state (`terraform show -json`).
 * What depends on values that are known only after apply is not estimated.
 */
export function terraformItems(plan: { readonly [name: string]: unknown }, context: ItemContext): ReadItems {
  const { resources, errors } = readObject(plan, { file: 'terraform', document: 0 });
  const unread = errors.map(({ message }) => ({ code: 'malformed', message, path: '/terraform' }));
  const found = terraformResourceItems(resources, context);
  return { ...found, warnings: [...unread, ...found.warnings] };
}

/** The same of resources that were read before. */
export function terraformResourceItems(resources: readonly Resource[], context: ItemContext): ReadItems {
  const read: ReadItems = { items: [], unestimated: [], warnings: [] };
  const templates = terraformTemplates(resources);
  for (const resource of resources) {
    const found = terraformParts(resource, templates);
    if (found === undefined) continue;
    if ('reason' in found) read.unestimated.push({ id: resource.name, reason: found.reason });
    else
      for (const part of found.parts) addPart(read, resource, found.provider, part, withRegion(context, part, resource.terraform?.region));
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
    read.warnings.push({ code: 'unknown-instance-type', message: `${id}: ${unknownType(provider)}`, path: '/terraform' });
    return;
  }
  const base = item ?? storageItem(id, provider, context);
  read.items.push({
    ...base,
    count: part.count,
    unit: { ...base.unit, ssdGb: part.ssdGb ?? 0, hddGb: part.hddGb ?? 0, gpu: part.gpu ?? base.unit.gpu },
    ...(part.gpuModel !== undefined && { gpuModel: part.gpuModel }),
    groups: { ...groupsOf(resource.object), service: resource.terraform?.type ?? '' },
  });
}

function storageItem(id: string, provider: Provider, context: ItemContext): CarbonItem {
  return {
    ...{ id, source: 'terraform', provider, region: context.region ?? '', groups: {}, unit: NO_UNIT },
    ...{ hours: exactly(context.periodHours), count: exactly(1), shared: false, notes: [] },
  };
}

function groupsOf(object: JsonObject): { [name: string]: string } {
  const tags = isObject(object.tags) ? object.tags : isObject(object.labels) ? object.labels : {};
  return Object.fromEntries(Object.entries(tags).flatMap(([name, value]) => (typeof value === 'string' ? [[`tag:${name}`, value]] : [])));
}

function withRegion(context: ItemContext, part: TerraformPart, configured: string | undefined): ItemContext {
  return { ...context, region: part.region ?? configured ?? context.region };
}
