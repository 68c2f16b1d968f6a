import { isObject, type JsonObject, type JsonValue, type Resource } from '@bylaw/core/resource';
import { type Place, type TerraformPart, terraformParts, terraformTemplates } from '@bylaw/core/workload';
import type { PriceList } from './price-list.js';
import type { PricedItems } from './priced-item.js';

/** Machines and node pools of Terraform, at the price of their type. A region that is given holds for its provider alone. */
export function terraformPrices(resources: readonly Resource[], place: Place, list: PriceList): PricedItems {
  const priced: PricedItems = { items: [], unpriced: [], notes: [] };
  const templates = terraformTemplates(resources);
  for (const resource of resources) {
    const found = terraformParts(resource, templates);
    if (found === undefined) continue;
    const id = resource.name;
    const reason = 'reason' in found ? found.reason : withoutPrice(resource, templates.get(resource.terraform?.template ?? '') ?? {});
    if (reason !== undefined) priced.unpriced.push({ id, reason });
    else if ('parts' in found) for (const part of found.parts) addPart(priced, resource, found.provider, part, place, list);
  }
  return priced;
}

function addPart(
  priced: PricedItems,
  resource: Resource,
  provider: 'aws' | 'azure' | 'gcp',
  part: TerraformPart,
  place: Place,
  list: PriceList,
): void {
  const id = part.suffix === undefined ? resource.name : `${resource.name}#${part.suffix}`;
  if (part.type === undefined) {
    priced.unpriced.push({ id, reason: 'The price lists do not include disks.' });
    return;
  }
  if (part.gpu !== undefined && part.gpu > 0) {
    priced.unpriced.push({ id, reason: 'The price lists do not include GPUs attached to machines.' });
    return;
  }
  const region = part.region ?? resource.terraform?.region ?? (place.provider === provider ? place.region : undefined);
  const price = list.hourPrice(provider, region, part.type);
  if (price === undefined) {
    priced.unpriced.push({ id, reason: `The price lists do not include its type. ${MEND}` });
    return;
  }
  const { amount, low, high, words, inferred } = price;
  priced.items.push({
    id,
    quantity: part.count,
    hourPrice: { low: amount * low, central: amount, high: amount * high },
    words,
    inferred,
    provider,
  });
  if ((part.ssdGb ?? 0) + (part.hddGb ?? 0) > 0) priced.notes.push({ id, message: 'the cost does not include its disks' });
}

const MEND = 'Set a price file with `finops.prices` in bylaw.yaml.';

/** What is sold otherwise than the machines of the lists. */
function withoutPrice({ object, terraform }: Resource, template: JsonObject): string | undefined {
  const type = terraform?.type ?? '';
  if (SERVICES.test(type)) return 'The price lists do not include databases, caches and search.';
  if (type.startsWith('azurerm_windows_')) return 'The price lists include Linux prices only.';
  if (type === 'aws_spot_instance_request' || isSpot(object) || isSpot(template))
    return 'Spot prices change by the hour, so the price lists do not include them.';
  return undefined;
}

const SERVICES = /^(aws_(db|rds|elasticache|docdb|neptune|opensearch)_|google_sql_)/;

function isSpot(object: JsonObject): boolean {
  const market = block(object.instance_market_options);
  const node = block(object.node_config);
  const scheduling = block(object.scheduling);
  const onDemand = block(block(object.mixed_instances_policy).instances_distribution).on_demand_percentage_above_base_capacity;
  return (
    market.market_type === 'spot' ||
    object.capacity_type === 'SPOT' ||
    object.priority === 'Spot' ||
    [node.spot, node.preemptible, scheduling.preemptible].includes(true) ||
    (typeof onDemand === 'number' && onDemand < 100) ||
    scheduling.provisioning_model === 'SPOT'
  );
}

/** A block is in a list of one. */
function block(value: JsonValue | undefined): JsonObject {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first : {};
}
