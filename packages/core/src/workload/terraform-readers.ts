import type { JsonObject } from '../resource/index.js';
import type { CloudProvider } from './place.js';
import { exactly, type Spread } from './spread.js';
import {
  block,
  blocks,
  firstOf,
  gbOfGib,
  machine,
  number,
  type Reader,
  scaling,
  storage,
  stored,
  type TerraformPart,
  textIfGiven,
  volume,
  zone,
} from './terraform-values.js';

export type { TerraformPart } from './terraform-values.js';

/** By resource type. Arguments: the documentation of the providers hashicorp/aws 6, hashicorp/google 7 and hashicorp/azurerm 4. */
export const TERRAFORM_READERS: ReadonlyMap<string, { provider: CloudProvider; read: Reader }> = new Map([
  ...of('aws', {
    aws_instance: (object) =>
      machine(object, 'instance_type', exactly(1), {
        ...zone(object),
        ...stored(blocks(object.root_block_device), blocks(object.ebs_block_device), 'volume_size', 'volume_type'),
      }),
    aws_spot_instance_request: (object) => machine(object, 'instance_type', exactly(1), zone(object)),
    aws_autoscaling_group: autoScalingGroup,
    aws_eks_node_group: (object, template) => {
      const config = block(object.scaling_config);
      const type = textIfGiven(firstOf(object.instance_types)) ?? textIfGiven(template.instance_type);
      if (type === undefined) return 'The type of its nodes is in a launch template that the plan does not include.';
      const count = scaling(config, 'desired_size', 'min_size', 'max_size');
      return count === undefined ? 'scaling_config' : [{ type, count }];
    },
    aws_db_instance: (object) =>
      machine(object, 'instance_class', exactly(object.multi_az === true ? 2 : 1), {
        ...zone(object),
        ...volume(object.allocated_storage, object.storage_type),
      }),
    aws_rds_cluster_instance: (object) =>
      object.instance_class === 'db.serverless'
        ? 'The usage of a serverless database is known only at run time. Provide it as rows of the bill.'
        : machine(object, 'instance_class', exactly(1), zone(object)),
    ...each(['aws_docdb_cluster_instance', 'aws_neptune_cluster_instance'], (object) =>
      machine(object, 'instance_class', exactly(1), zone(object)),
    ),
    aws_elasticache_cluster: (object) => machine(object, 'node_type', exactly(number(object.num_cache_nodes) ?? 1), zone(object)),
    aws_elasticache_replication_group: (object) => machine(object, 'node_type', exactly(cacheNodes(object))),
    aws_opensearch_domain: (object) => {
      const [cluster, disks] = [block(object.cluster_config), block(object.ebs_options)];
      const type = textIfGiven(cluster.instance_type) ?? 'm3.medium.search';
      return [{ type, count: exactly(number(cluster.instance_count) ?? 1), ...volume(disks.volume_size, disks.volume_type) }];
    },
    aws_ebs_volume: (object) => storage(object.size, object.type, 'size', zone(object)),
    ...each(['aws_lambda_function', 'aws_ecs_service'], () => ON_DEMAND),
    ...each(['aws_lb', 'aws_alb', 'aws_elb', 'aws_nat_gateway'], () => SHARED_DEVICE),
    aws_eks_cluster: () => CONTROL_PLANE,
  }),
  ...of('gcp', {
    google_compute_instance: (object) => {
      const disks = blocks(object.boot_disk).map((disk) => block(disk.initialize_params));
      return machine(object, 'machine_type', exactly(1), {
        ...zone(object),
        ...stored(disks, [], 'size', 'type'),
        ...attached(block(object.guest_accelerator)),
      });
    },
    google_compute_disk: (object) => storage(object.size, object.type, 'size', zone(object)),
    ...each(['google_compute_instance_group_manager', 'google_compute_region_instance_group_manager'], (object, template) => {
      const type = textIfGiven(template.machine_type);
      if (type === undefined) return 'The type of its instances is in a template that the plan does not include.';
      const count = number(object.target_size);
      if (count === undefined) return 'target_size';
      const disks = blocks(template.disk);
      return [{ type, count: exactly(count), ...zone(object), ...stored(disks, [], 'disk_size_gb', 'disk_type') }];
    }),
    google_container_node_pool: nodePool,
    google_container_cluster: (object) =>
      object.remove_default_node_pool === true || object.enable_autopilot === true
        ? CONTROL_PLANE
        : nodePool({ ...object, node_count: object.initial_node_count ?? null }),
    google_sql_database_instance: (object) => {
      const settings = block(object.settings);
      const copies = exactly(settings.availability_type === 'REGIONAL' ? 2 : 1);
      const tier = textIfGiven(settings.tier)?.replace(/^db-/, '') ?? null;
      return machine({ tier }, 'tier', copies, { ...zone(object), ...volume(settings.disk_size, settings.disk_type) });
    },
    ...each(
      ['google_cloudfunctions_function', 'google_cloudfunctions2_function', 'google_cloud_run_service', 'google_cloud_run_v2_service'],
      () => ON_DEMAND,
    ),
    ...each(['google_compute_forwarding_rule', 'google_compute_global_forwarding_rule', 'google_compute_router_nat'], () => SHARED_DEVICE),
  }),
  ...of('azure', {
    ...each(['azurerm_linux_virtual_machine', 'azurerm_windows_virtual_machine'], (object) =>
      machine(object, 'size', exactly(1), { ...zone(object), ...azureDisk(object) }),
    ),
    azurerm_virtual_machine: (object) => machine(object, 'vm_size', exactly(1), zone(object)),
    ...each(['azurerm_linux_virtual_machine_scale_set', 'azurerm_windows_virtual_machine_scale_set'], (object) => {
      const count = number(object.instances);
      return count === undefined ? 'instances' : machine(object, 'sku', exactly(count), { ...zone(object), ...azureDisk(object) });
    }),
    azurerm_managed_disk: (object) => storage(object.disk_size_gb, object.storage_account_type, 'disk_size_gb', zone(object)),
    azurerm_kubernetes_cluster: (object) => {
      const pool = block(object.default_node_pool);
      return machine(pool, 'vm_size', scaling(pool, 'node_count', 'min_count', 'max_count') ?? exactly(1), zone(object));
    },
    azurerm_kubernetes_cluster_node_pool: (object) =>
      machine(object, 'vm_size', scaling(object, 'node_count', 'min_count', 'max_count') ?? exactly(1)),
    ...each(['azurerm_postgresql_flexible_server', 'azurerm_mysql_flexible_server'], (object) => {
      const size = textIfGiven(object.sku_name)?.replace(/^(?:B|GP|MO)_/, '') ?? null;
      const standby = Object.keys(block(object.high_availability)).length > 0;
      // 32768 is a disk of 32 GiB.
      const mebibytes = number(object.storage_mb) ?? 1024 * (number(block(object.storage).size_gb) ?? 0);
      return machine({ sku_name: size }, 'sku_name', exactly(standby ? 2 : 1), { ...zone(object), ssdGb: gbOfGib(mebibytes / 1024) });
    }),
    ...each(['azurerm_linux_function_app', 'azurerm_windows_function_app', 'azurerm_container_app'], () => ON_DEMAND),
    ...each(['azurerm_lb', 'azurerm_application_gateway', 'azurerm_nat_gateway'], () => SHARED_DEVICE),
  }),
]);

const ON_DEMAND = 'Its consumption depends on how often it runs. Provide its usage as rows of the bill.';
const SHARED_DEVICE = 'There are no public figures for the power draw of load balancers and gateways.';
const CONTROL_PLANE = 'There are no public figures for the machines of its control plane. Its nodes are separate resources.';

function of(provider: CloudProvider, readers: { [type: string]: Reader }) {
  return Object.entries(readers).map(([type, read]) => [type, { provider, read }] as const);
}

function each(types: readonly string[], read: Reader): { [type: string]: Reader } {
  return Object.fromEntries(types.map((type) => [type, read]));
}

/** Of several types that a policy allows, the first, which it prefers. */
function autoScalingGroup(object: JsonObject, template: JsonObject): TerraformPart[] | string {
  const policy = block(block(object.mixed_instances_policy).launch_template);
  const allowed = blocks(policy.override).map((override) => textIfGiven(override.instance_type));
  const type = allowed.find((one) => one !== undefined) ?? textIfGiven(template.instance_type);
  if (type === undefined) return 'The type of its instances is in a launch template that the plan does not include.';
  const count = scaling(object, 'desired_capacity', 'min_size', 'max_size');
  if (count === undefined) return 'min_size';
  const disks = blocks(template.block_device_mappings).map((mapping) => block(mapping.ebs));
  return [{ type, count, ...zone(object), ...stored(disks, blocks(template.root_block_device), 'volume_size', 'volume_type') }];
}

/**
 * A pool has so many nodes in each of its zones; a cluster of a region has three, unless it says which.
 * Source: https://cloud.google.com/kubernetes-engine/docs/concepts/regional-clusters
 */
function nodePool(object: JsonObject): TerraformPart[] | string {
  const config = block(object.node_config);
  const autoscaling = block(object.autoscaling);
  const place = zone(object);
  const listed = Array.isArray(object.node_locations) ? object.node_locations.length : 0;
  const zones = listed > 0 ? listed : place.region !== undefined && !/-[a-z]$/.test(place.region) ? 3 : 1;
  const inAll = scaling(autoscaling, '', 'total_min_node_count', 'total_max_node_count');
  const now = number(object.node_count) ?? number(object.initial_node_count) ?? null;
  const inZone = scaling({ ...autoscaling, now }, 'now', 'min_node_count', 'max_node_count') ?? exactly(1);
  return machine({ machine_type: config.machine_type ?? 'e2-medium' }, 'machine_type', inAll ?? times(inZone, zones), {
    ...place,
    ...volume(config.disk_size_gb, config.disk_type),
    ...attached(block(config.guest_accelerator)),
  });
}

function attached(gpu: JsonObject): { gpu?: number; gpuModel?: string } {
  const gpuModel = textIfGiven(gpu.type);
  return gpuModel === undefined ? {} : { gpuModel, gpu: number(gpu.count) ?? 1 };
}

function times({ low, central, high }: Spread, factor: number): Spread {
  return { low: low * factor, central: central * factor, high: high * factor };
}

function azureDisk(object: JsonObject) {
  return stored(blocks(object.os_disk), [], 'disk_size_gb', 'storage_account_type');
}

function cacheNodes(object: JsonObject): number {
  const clusters = number(object.num_cache_clusters);
  return clusters ?? (number(object.num_node_groups) ?? 1) * ((number(object.replicas_per_node_group) ?? 0) + 1);
}
