import { readObject } from '@bylaw/core/resource';
import { parseQuantity, runsPerHour } from '@bylaw/core/workload';
import { describe, expect, it } from 'vitest';
import { type ItemContext, manifestItems, terraformItems } from './index.js';

const CONTEXT: ItemContext = { provider: 'aws', region: 'eu-west-1', periodHours: 730, jobMinutes: { low: 1, central: 10, high: 60 } };
type Nodes = Parameters<typeof manifestItems>[1];

function read(objects: object[], nodes: Nodes = []) {
  const resources = objects.flatMap((object, document) => readObject(object, { file: 'f', document }).resources);
  return manifestItems(resources, nodes, CONTEXT, 'aws');
}

const container = (name: string, cpu?: string, memory?: string, more: object = {}) => ({
  name,
  image: 'i',
  ...(cpu !== undefined && { resources: { requests: { cpu, memory } } }),
  ...more,
});
const workload = (kind: string, spec: object, pod: object, apiVersion = 'apps/v1') => ({
  apiVersion,
  kind,
  metadata: { name: 'w', namespace: 'n' },
  spec: { ...spec, template: { spec: pod } },
});
const APP = { containers: [container('app', '1', '2Gi')] };

describe('what a pod reserves', () => {
  const unitOf = (pod: object) => read([workload('Deployment', {}, pod)]).items[0]?.unit;

  it('is what its containers request, or are limited to', () => {
    expect(
      unitOf({ containers: [container('a', '500m', '1Gi'), { name: 'b', resources: { limits: { cpu: '2', memory: '512Mi' } } }] }),
    ).toMatchObject({
      vcpu: 2.5,
      memoryGib: 1.5,
    });
  });

  it('is the peak of its init containers, where that is more', () => {
    const initContainers = [container('side', '1', '1Gi', { restartPolicy: 'Always' }), container('migrate', '3', '1Gi')];
    expect(unitOf({ ...APP, initContainers })).toMatchObject({ vcpu: 4, memoryGib: 3 });
  });

  it('is what the whole pod asks for, where it does, with the overhead of its runtime', () => {
    const pod = { ...APP, resources: { requests: { cpu: '4' } }, overhead: { cpu: '250m', memory: '128Mi' } };
    expect(unitOf(pod)).toMatchObject({ vcpu: 4.25, memoryGib: 2.125 });
  });

  it('is assumed, and said so, where nothing is requested', () => {
    const { items, warnings } = read([workload('Deployment', {}, { containers: [container('a'), container('b', '1', '1Gi')] })]);
    expect(items[0]?.unit).toMatchObject({ vcpu: 1.1, memoryGib: 1.125 });
    expect(items[0]?.notes).toEqual([expect.stringContaining('assumes 0.1 vCPU and 128 MiB')]);
    expect(warnings.map(({ code }) => code)).toEqual(['no-requests']);
  });

  it('does not hold what is no quantity', () => {
    const { items, warnings } = read([workload('Deployment', {}, { containers: [container('a', 'much', '1Gi')] })]);
    expect(items[0]?.unit.vcpu).toBe(0.1);
    expect(warnings.map(({ code }) => code)).toEqual(['no-requests', 'malformed']);
    expect(['1', '500m', '1.5Gi', '2e3', 1, 0].map(parseQuantity)).toEqual([1, 0.5, 1.5 * 1024 ** 3, 2000, 1, 0]);
    expect(['1e300', '1E', '1e-20'].map(parseQuantity)).toEqual([2 ** 63, 1e18, 1e-9]);
    expect(['', '-1', '1 Gi', '1X', 'e3', Number.NaN, null, {}].map(parseQuantity)).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it('has GPUs of the kind that its nodeSelector names', () => {
    const gpu = { containers: [container('a', '1', '1Gi', { resources: { limits: { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': 2 } } })] };
    const known = read([workload('Deployment', {}, { ...gpu, nodeSelector: { 'cloud.google.com/gke-accelerator': 'nvidia-tesla-t4' } })]);
    expect(known.items[0]).toMatchObject({ unit: { gpu: 2 }, gpuModel: 'nvidia-tesla-t4' });
    expect(read([workload('Deployment', {}, gpu)]).unestimated).toEqual([
      { id: 'apps/Deployment/n/w#gpu', reason: expect.stringContaining('specify the GPU model') },
    ]);
  });
});

describe('a pod with accelerators that are no GPUs', () => {
  it('is estimated without them, which is said', () => {
    const limits = { cpu: '1', memory: '1Gi', 'aws.amazon.com/neuron': 2, 'nvidia.com/mig-1g.5gb': 1, 'example.com/fpga': 1 };
    const { items, unestimated } = read([
      workload('Deployment', {}, { containers: [container('a', '1', '1Gi', { resources: { limits } })] }),
    ]);
    expect(items[0]?.unit).toMatchObject({ vcpu: 1, gpu: 0 });
    expect(unestimated).toEqual([
      { id: 'apps/Deployment/n/w#accelerators', reason: expect.stringContaining('aws.amazon.com/neuron, nvidia.com/mig-1g.5gb') },
    ]);
  });
});

describe('how much of a workload runs', () => {
  it.each([
    ['Deployment', { replicas: 3 }, 'apps/v1'],
    ['StatefulSet', { replicas: 3 }, 'apps/v1'],
    ['Rollout', { replicas: 3 }, 'argoproj.io/v1alpha1'],
  ])('%s: its replicas for the whole period', (kind, spec, apiVersion) => {
    const [item] = read([workload(kind, spec, APP, apiVersion)]).items;
    expect([item?.count.central, item?.hours.central]).toEqual([3, 730]);
  });

  it('an autoscaler moves it between two ends', () => {
    const hpa = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h', namespace: 'n' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'w' }, minReplicas: 2, maxReplicas: 10 },
    };
    expect(read([workload('Deployment', { replicas: 99 }, APP), hpa]).items[0]?.count).toEqual({ low: 2, central: 6, high: 10 });
    const keda = {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name: 'k', namespace: 'n' },
      spec: { scaleTargetRef: { name: 'w' }, maxReplicaCount: 8 },
    };
    expect(read([workload('Deployment', {}, APP), keda]).items[0]?.count).toEqual({ low: 0, central: 4, high: 8 });
  });

  it('a Job runs once, a CronJob as often as it fires', () => {
    const job = workload('Job', { completions: 4, activeDeadlineSeconds: 300 }, APP, 'batch/v1');
    expect(read([job]).items[0]).toMatchObject({ count: { central: 4 }, hours: { low: 1 / 60, central: 1 / 12, high: 1 / 12 } });
    const cron = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: { schedule: '*/30 * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template: { spec: APP } } } },
    };
    expect(read([cron]).items[0]).toMatchObject({ count: { central: 1460 }, hours: { central: 1 / 6, high: 0.5 } });
    expect(read([{ ...cron, spec: { ...cron.spec, schedule: 'often' } }]).unestimated[0]?.reason).toContain('schedule');
  });

  it('schedules fire as often as their fields say', () => {
    const perYear = (schedule: string) => Math.round((runsPerHour(schedule) ?? Number.NaN) * 8766);
    expect(
      ['@daily', '0 0 * * *', '0 */6 * * *', '0 9-17 * * MON-FRI', '0 0 1 1 *', 'TZ=UTC 5,35 1 * * *', '0 0 1 * 1', '@every 12h'].map(
        perYear,
      ),
    ).toEqual([365, 365, 1461, 2348, 1, 731, 62, 731]);
    expect(
      ['', '* * * *', '60 * * * *', '* * * * * *', '1-99999999 * * * *', '*/0 * * * *', '0 0 * * 7'].map((text) => runsPerHour(text)),
    ).toEqual(Array.from({ length: 7 }, () => undefined));
  });

  it('a DaemonSet runs on the nodes, and without them cannot be told', () => {
    const daemon = workload('DaemonSet', {}, APP);
    expect(read([daemon]).unestimated).toEqual([{ id: 'apps/DaemonSet/n/w', reason: expect.stringContaining('`nodes`') }]);
    const nodes = [
      { instance_type: 'm5.xlarge', count: 3 },
      { instance_type: 'c5.xlarge', count: 2, match: { pool: 'batch' } },
    ];
    expect(read([daemon], nodes).items.map(({ id, count }) => [id, count.central])).toEqual([
      ['apps/DaemonSet/n/w@m5.xlarge', 3],
      ['apps/DaemonSet/n/w@c5.xlarge', 2],
    ]);
  });

  it('what a controller of the same input made is counted once', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', ownerReferences: [{ kind: 'Deployment', name: 'w', controller: true }] },
      spec: APP,
    };
    expect(read([workload('Deployment', {}, APP), pod]).items).toHaveLength(1);
    expect(read([pod]).items).toHaveLength(1);
  });

  it('pods share what idles on the nodes that they run on', () => {
    const { items } = read([workload('Deployment', { replicas: 2 }, APP)], [{ instance_type: 'm5.xlarge', count: 2 }]);
    expect(items[0]).toMatchObject({ instanceType: 'm5.xlarge', packing: 0.25 });
    const many = read([workload('Deployment', { replicas: 99 }, APP)], [{ instance_type: 'm5.xlarge', count: 2 }]);
    expect(many.items[0]?.packing).toBe(1);
    expect(many.warnings).toEqual([expect.objectContaining({ code: 'nodes-overfull', path: '/nodes/0' })]);
  });

  it('share it alike in any order of the manifests, to the last digit', () => {
    const pods = ['100m', '200m', '300m'].map((cpu) => workload('Deployment', {}, { containers: [container('a', cpu, '64Mi')] }));
    const packings = [pods, pods.toReversed()].map(
      (objects) => read(objects, [{ instance_type: 'm5.xlarge', count: 1 }]).items[0]?.packing,
    );
    expect(packings).toEqual([0.15, 0.15]);
  });

  it('on nodes with GPUs, by the GPUs where those are what is used up', () => {
    const gpus = (count: number) => ({
      containers: [{ name: 'a', resources: { limits: { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': count } } }],
    });
    const { items } = read([workload('Deployment', { replicas: 2 }, gpus(2))], [{ instance_type: 'g5.12xlarge', count: 2 }]);
    expect(items[0]).toMatchObject({ packing: 0.5, gpuModel: 'A10G', unit: { gpu: 2 } });
    const many = read([workload('Deployment', { replicas: 5 }, gpus(2))], [{ instance_type: 'g5.12xlarge', count: 2 }]);
    expect(many.warnings.map(({ code }) => code)).toEqual(['nodes-overfull']);
  });

  it('claims are disks, alone or of each pod, in GB of 10^9 bytes', () => {
    const claim = (storage: string, storageClassName?: string) => ({
      resources: { requests: { storage } },
      ...(storageClassName && { storageClassName }),
    });
    const pvc = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'd' }, spec: claim('100Gi', 'st1') };
    expect(read([pvc]).items[0]?.unit).toMatchObject({ ssdGb: 0, hddGb: 107.3741824, vcpu: 0 });
    const fast = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'st1' }, parameters: { type: 'gp3' } };
    const slow = { ...fast, metadata: { name: 'bulk' }, parameters: { skuName: 'Standard_LRS' } };
    expect(read([pvc, fast]).items[0]?.unit).toMatchObject({ ssdGb: 107.3741824, hddGb: 0 });
    expect(read([{ ...pvc, spec: claim('1Gi', 'bulk') }, slow]).items[0]?.unit).toMatchObject({ ssdGb: 0, hddGb: 1.073741824 });
    const set = workload('StatefulSet', { replicas: 3, volumeClaimTemplates: [{ spec: claim('20Gi') }] }, APP);
    expect(read([set]).items[0]?.unit).toMatchObject({ ssdGb: 21.47483648, hddGb: 0 });
    expect(read([{ ...pvc, spec: claim('500G') }]).items[0]?.unit.ssdGb).toBe(500);
    expect(read([{ ...pvc, spec: claim('500Gi') }]).items[0]?.unit.ssdGb).toBe(536.870912);
  });
});

describe('a Terraform plan', () => {
  const resource = (type: string, values: object) => ({
    address: `${type}.x`,
    mode: 'managed',
    type,
    name: 'x',
    provider_name: 'p',
    values,
  });
  const plan = (resources: object[], more: object = {}) => ({
    format_version: '1.2',
    planned_values: { root_module: { resources } },
    ...more,
  });

  it('has machines, databases, pools and disks, whose sizes it writes in GiB', () => {
    const { items, unestimated } = terraformItems(
      plan([
        resource('aws_instance', {
          instance_type: 'm5.large',
          availability_zone: 'eu-central-1a',
          root_block_device: [{ volume_size: 50, volume_type: 'gp3' }],
        }),
        resource('aws_db_instance', { instance_class: 'db.m5.xlarge', multi_az: true, allocated_storage: 100 }),
        resource('aws_eks_node_group', { instance_types: ['m5.xlarge'], scaling_config: [{ desired_size: 3, min_size: 2, max_size: 6 }] }),
        resource('google_compute_instance', { machine_type: 'n2-standard-4', zone: 'europe-west1-b' }),
        resource('azurerm_linux_virtual_machine', { size: 'Standard_D4s_v3', location: 'West Europe' }),
        resource('aws_ebs_volume', { size: 500, type: 'sc1' }),
        resource('aws_s3_bucket', {}),
      ]),
      CONTEXT,
    );
    expect(unestimated).toEqual([]);
    expect(items.map(({ id, region, count, unit }) => [id, region, count.central, unit.vcpu, unit.ssdGb + unit.hddGb])).toEqual([
      ['aws_instance.x', 'eu-central-1a', 1, 2, 53.6870912],
      ['aws_db_instance.x', 'eu-west-1', 2, 4, 107.3741824],
      ['aws_eks_node_group.x', 'eu-west-1', 3, 4, 0],
      ['google_compute_instance.x', 'europe-west1-b', 1, 4, 0],
      ['azurerm_linux_virtual_machine.x', 'West Europe', 1, 4, 0],
      ['aws_ebs_volume.x', 'eu-west-1', 1, 0, 536.870912],
    ]);
  });

  it('has groups of machines, by the templates that they are made from', () => {
    const group = (address: string, values: object) => ({ ...resource('aws_autoscaling_group', values), address });
    const refers = (address: string, template: string) => ({
      address,
      expressions: { launch_template: [{ id: { references: [`${template}.id`, template] }, version: { constant_value: '$Latest' } }] },
    });
    const configuration = {
      root_module: {
        resources: [refers('aws_autoscaling_group.web', 'aws_launch_template.web')],
        module_calls: { batch: { module: { resources: [refers('aws_autoscaling_group.jobs', 'aws_launch_template.jobs')] } } },
      },
    };
    const template = (address: string, instance_type: string) => ({
      ...resource('aws_launch_template', { instance_type, block_device_mappings: [{ ebs: [{ volume_size: 30, volume_type: 'gp3' }] }] }),
      address,
    });
    const { items, unestimated } = terraformItems(
      plan(
        [
          template('aws_launch_template.web', 'm5.large'),
          template('module.batch["a"].aws_launch_template.jobs[0]', 'c5.xlarge'),
          group('aws_autoscaling_group.web', { min_size: 2, max_size: 10, desired_capacity: 4 }),
          group('module.batch["a"].aws_autoscaling_group.jobs[0]', { min_size: 0, max_size: 6 }),
          group('aws_autoscaling_group.mixed', {
            ...{ min_size: 1, max_size: 1 },
            mixed_instances_policy: [{ launch_template: [{ override: [{ instance_type: 'r5.large' }, { instance_type: 'r5a.large' }] }] }],
          }),
          group('aws_autoscaling_group.odd', { min_size: 1, max_size: 1 }),
          {
            ...group('aws_autoscaling_group.late', {
              mixed_instances_policy: [{ launch_template: [{ override: [{ instance_type: 'r5.large' }] }] }],
            }),
          },
        ],
        { configuration },
      ),
      CONTEXT,
    );
    expect(items.map(({ id, instanceType, count, unit }) => [id, instanceType, count.low, count.central, count.high, unit.ssdGb])).toEqual([
      ['aws_autoscaling_group.web', 'm5.large', 2, 4, 10, 32.21225472],
      ['module.batch["a"].aws_autoscaling_group.jobs[0]', 'c5.xlarge', 0, 3, 6, 32.21225472],
      ['aws_autoscaling_group.mixed', 'r5.large', 1, 1, 1, 0],
    ]);
    expect(unestimated).toEqual([
      { id: 'aws_autoscaling_group.odd', reason: expect.stringContaining('launch template') },
      { id: 'aws_autoscaling_group.late', reason: '`min_size` is not set.' },
    ]);
  });

  it('has the pools of clusters, in every zone of them, and what is attached to machines', () => {
    const pool = { ...resource('google_container_node_pool', {}), address: 'p' };
    const config = { node_config: [{ machine_type: 'n2-standard-4', disk_size_gb: 100, disk_type: 'pd-standard' }] };
    const pools = [
      { location: 'europe-west1', node_count: 2, ...config },
      { location: 'europe-west1-b', node_count: 2, ...config },
      {
        location: 'europe-west1',
        node_locations: ['europe-west1-b', 'europe-west1-c'],
        autoscaling: [{ min_node_count: 1, max_node_count: 3 }],
        ...config,
      },
      { location: 'europe-west1', autoscaling: [{ total_min_node_count: 1, total_max_node_count: 3 }], ...config },
    ].map((values, index) => ({ ...pool, address: `p${index}`, values }));
    const { items } = terraformItems(plan(pools), CONTEXT);
    expect(items.map(({ count, unit }) => [count.low, count.central, count.high, unit.hddGb])).toEqual([
      [6, 6, 6, 107.3741824],
      [2, 2, 2, 107.3741824],
      [2, 4, 6, 107.3741824],
      [1, 2, 3, 107.3741824],
    ]);
    const others = terraformItems(
      plan([
        resource('google_compute_instance', {
          ...{ machine_type: 'n1-standard-4', zone: 'europe-west1-b', guest_accelerator: [{ type: 'nvidia-tesla-t4', count: 2 }] },
          boot_disk: [{ initialize_params: [{ size: 50, type: 'pd-ssd' }] }],
        }),
        resource('azurerm_postgresql_flexible_server', {
          ...{ sku_name: 'GP_Standard_D4s_v3', storage_mb: 65_536, location: 'westeurope', high_availability: [{ mode: 'ZoneRedundant' }] },
        }),
        resource('azurerm_lb', {}),
        resource('google_cloud_run_v2_service', {}),
      ]),
      CONTEXT,
    );
    expect(others.items.map(({ gpuModel, count, unit }) => [gpuModel, count.central, unit.vcpu, unit.gpu, unit.ssdGb])).toEqual([
      ['nvidia-tesla-t4', 1, 4, 2, 53.6870912],
      [undefined, 2, 4, 0, 68.719476736],
    ]);
    expect(others.unestimated.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('load balancers'),
      expect.stringContaining('how often it runs'),
    ]);
  });

  it('says what is known only after apply, and what is known of nobody', () => {
    const unknown = { resource_changes: [{ address: 'aws_instance.x', change: { after_unknown: { instance_type: true } } }] };
    const { unestimated } = terraformItems(
      plan([resource('aws_instance', {}), resource('aws_lambda_function', {}), resource('aws_ebs_volume', {})], unknown),
      CONTEXT,
    );
    expect(unestimated.map(({ reason }) => reason)).toEqual([
      '`instance_type` is known only after apply.',
      expect.stringContaining('how often it runs'),
      '`size` is not set.',
    ]);
  });

  it('takes the region of the provider where it is written down', () => {
    const configuration = { provider_config: { aws: { expressions: { region: { constant_value: 'ap-south-1' } } } } };
    expect(
      terraformItems(plan([resource('aws_instance', { instance_type: 'm5.large' })], { configuration }), CONTEXT).items[0]?.region,
    ).toBe('ap-south-1');
  });
});
