import { isObject, type JsonObject, type JsonValue } from '../resource/index.js';
import type { CloudProvider } from './provider.js';
import { exactly, type Spread } from './spread.js';

/** A part of a resource that draws power: instances of a type, or disks. */
export interface TerraformPart {
  type?: string;
  count: Spread;
  ssdGb?: number;
  hddGb?: number;
  region?: string;
  /** Tells the parts of a resource apart. */
  suffix?: string;
}

/** The parts of a resource; a text names the argument without which nothing can be said, or is a sentence of its own. */
type Reader = (object: JsonObject) => TerraformPart[] | string;

/** By resource type. Arguments: the documentation of the providers hashicorp/aws 6, hashicorp/google 7 and hashicorp/azurerm 4. */
export const TERRAFORM_READERS: ReadonlyMap<string, { provider: CloudProvider; read: Reader }> = new Map([
  ...of('aws', {
    aws_instance: (object) =>
      machine(object, 'instance_type', exactly(1), { ...zone(object), ...disk(object.root_block_device, 'volume_size', 'volume_type') }),
    aws_spot_instance_request: (object) => machine(object, 'instance_type', exactly(1), zone(object)),
    aws_autoscaling_group: () => 'The type of its instances stands in the launch template, which the values of the group do not name.',
    aws_eks_node_group: (object) =>
      machine(
        { type: firstOf(object.instance_types) ?? null },
        'type',
        scaling(block(object.scaling_config), 'desired_size', 'min_size', 'max_size'),
      ),
    aws_db_instance: (object) =>
      machine(object, 'instance_class', exactly(object.multi_az === true ? 2 : 1), {
        ...zone(object),
        ...volume(object.allocated_storage, object.storage_type),
      }),
    aws_rds_cluster_instance: (object) => machine(object, 'instance_class', exactly(1), zone(object)),
    aws_elasticache_cluster: (object) => machine(object, 'node_type', exactly(number(object.num_cache_nodes) ?? 1), zone(object)),
    aws_elasticache_replication_group: (object) => machine(object, 'node_type', exactly(cacheNodes(object))),
    aws_ebs_volume: (object) => storage(object.size, object.type, 'size', zone(object)),
    aws_lambda_function: () => 'What a function draws depends on how often it runs: give its usage as rows of the bill.',
    aws_lb: () => 'No public figure is known for load balancers.',
  }),
  ...of('gcp', {
    google_compute_instance: (object) => machine(object, 'machine_type', exactly(1), zone(object)),
    google_compute_disk: (object) => storage(object.size, object.type, 'size', zone(object)),
    google_container_node_pool: (object) => {
      const config = block(object.node_config);
      const autoscaling = block(object.autoscaling);
      const count =
        Object.keys(autoscaling).length > 0
          ? scaling(autoscaling, '', 'min_node_count', 'max_node_count')
          : exactly(number(object.node_count) ?? 1);
      return machine({ machine_type: config.machine_type ?? 'e2-medium' }, 'machine_type', count, zone(object));
    },
    google_sql_database_instance: (object) => {
      const settings = block(object.settings);
      const copies = exactly(settings.availability_type === 'REGIONAL' ? 2 : 1);
      const tier = typeof settings.tier === 'string' ? settings.tier.replace(/^db-/, '') : null;
      return machine({ tier }, 'tier', copies, { ...zone(object), ...volume(settings.disk_size, settings.disk_type) });
    },
  }),
  ...of('azure', {
    azurerm_linux_virtual_machine: (object) => machine(object, 'size', exactly(1), location(object)),
    azurerm_windows_virtual_machine: (object) => machine(object, 'size', exactly(1), location(object)),
    azurerm_virtual_machine: (object) => machine(object, 'vm_size', exactly(1), location(object)),
    azurerm_linux_virtual_machine_scale_set: (object) => machine(object, 'sku', exactly(number(object.instances) ?? 1), location(object)),
    azurerm_windows_virtual_machine_scale_set: (object) => machine(object, 'sku', exactly(number(object.instances) ?? 1), location(object)),
    azurerm_managed_disk: (object) => storage(object.disk_size_gb, object.storage_account_type, 'disk_size_gb', location(object)),
    azurerm_kubernetes_cluster: (object) => {
      const pool = block(object.default_node_pool);
      return machine(pool, 'vm_size', scaling(pool, 'node_count', 'min_count', 'max_count'), location(object));
    },
    azurerm_kubernetes_cluster_node_pool: (object) => machine(object, 'vm_size', scaling(object, 'node_count', 'min_count', 'max_count')),
  }),
]);

function of(provider: CloudProvider, readers: { [type: string]: Reader }) {
  return Object.entries(readers).map(([type, read]) => [type, { provider, read }] as const);
}

function machine(object: JsonObject, argument: string, count: Spread, more: Partial<TerraformPart> = {}): TerraformPart[] | string {
  const type = object[argument];
  return typeof type === 'string' && type !== '' ? [{ type, count, ...more }] : argument;
}

function storage(
  size: JsonValue | undefined,
  kind: JsonValue | undefined,
  argument: string,
  more: Partial<TerraformPart>,
): TerraformPart[] | string {
  return number(size) === undefined ? argument : [{ count: exactly(1), ...volume(size, kind), ...more }];
}

/** Volume types that are disks that turn. */
const HDD = /^(standard|st1|sc1|magnetic|pd-standard|PD_HDD|Standard_(LRS|ZRS))$/;

function volume(size: JsonValue | undefined, kind: JsonValue | undefined): Partial<TerraformPart> {
  const gb = number(size) ?? 0;
  return typeof kind === 'string' && HDD.test(kind) ? { hddGb: gb } : { ssdGb: gb };
}

function disk(list: JsonValue | undefined, size: string, kind: string): Partial<TerraformPart> {
  const own = block(list);
  return volume(own[size], own[kind]);
}

/** Between the ends of an autoscaler; where it says how many run now, that is the central value. */
function scaling(object: JsonObject, desired: string, low: string, high: string): Spread {
  const [now, least, most] = [number(object[desired]), number(object[low]), number(object[high])];
  if (least === undefined || most === undefined || most < least || most === 0) return exactly(now ?? 1);
  return { low: least, high: most, central: Math.min(most, Math.max(least, now ?? (least + most) / 2)) };
}

function cacheNodes(object: JsonObject): number {
  const clusters = number(object.num_cache_clusters);
  return clusters ?? (number(object.num_node_groups) ?? 1) * ((number(object.replicas_per_node_group) ?? 0) + 1);
}

/** `eu-west-1a` and `europe-west1-b` are zones of regions; the lookup of regions knows that. */
function zone(object: JsonObject): Partial<TerraformPart> {
  const name = [object.availability_zone, object.zone, object.region, object.location].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof name === 'string' ? { region: name } : {};
}

function location(object: JsonObject): Partial<TerraformPart> {
  return typeof object.location === 'string' ? { region: object.location } : {};
}

/** A block stands in a list of one. */
function block(value: JsonValue | undefined): JsonObject {
  const first = firstOf(value);
  return isObject(first) ? first : isObject(value) ? value : {};
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 10_000_000 ? value : undefined;
}
