import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type EstimateRequest, type EstimationResult, estimation, sumsOf } from '../../estimate/index.js';
import { machineData } from '../../factors/index.js';
import { childNames } from './child-names.js';
import { type ComputedNode, ifRun } from './if-run.test-support.js';
import { impactFramework } from './index.js';

const AWS = { provider: 'aws', region: 'eu-west-1' } as const;
const USAGE = [
  { id: 'curve', instance_type: 'm5.xlarge', hours: 730 },
  { id: 'calibrated', instance_type: 'm7i.2xlarge', hours: 12.34, count: 3 },
  { id: 'proxy', instance_type: 'c8g.large', hours: 730, cpu_utilization: 0.29 },
  { id: 'database', instance_type: 'db.m5.large', hours: 730, cpu_utilization: 0 },
  { id: 'busy', instance_type: 't3.micro', hours: 1, cpu_utilization: 1 },
  { id: 'gpus', instance_type: 'p3.8xlarge', hours: 100, cpu_utilization: 0.1 },
  { id: 'azure', provider: 'azure', region: 'westeurope', instance_type: 'Standard_D4s_v3', hours: 730 },
  { id: 'gcp', provider: 'gcp', region: 'europe-west1', instance_type: 'n2-standard-4', hours: 730 },
  { id: 'never', instance_type: 'm5.large', hours: 0 },
  { id: 'none', instance_type: 'm5.large', hours: 5, count: 0 },
] satisfies EstimateRequest['usage'];

const pod = (more: object = {}) => ({
  containers: [{ name: 'app', image: 'i', resources: { requests: { cpu: '750m', memory: '1500Mi' }, ...more } }],
});
const workload = (kind: string, spec: object, template: object) => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name: kind.toLowerCase(), namespace: 'shop' } },
  spec: { ...spec, template: { spec: template } },
});
const MANIFESTS = [
  workload('Deployment', { replicas: 3 }, pod()),
  workload('StatefulSet', { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '20Gi' } } } }] }, pod()),
  workload('ReplicaSet', {}, { ...pod({ limits: { 'nvidia.com/gpu': 2 } }), nodeSelector: { accelerator: 'nvidia-tesla-t4' } }),
  {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'nightly', namespace: 'shop' } },
    spec: { schedule: '7 3 * * *', jobTemplate: { spec: { template: { spec: pod() } } } },
  },
  {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h', namespace: 'shop' } },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'deployment' }, minReplicas: 2, maxReplicas: 9 },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'archive', namespace: 'shop' } },
    spec: { storageClassName: 'st1', resources: { requests: { storage: '500Gi' } } },
  },
];
const NODES = [
  { instance_type: 'm5.4xlarge', count: 2 },
  { instance_type: 'g4dn.xlarge', count: 1, match: { accelerator: 'nvidia-tesla-t4' } },
];

const resource = (type: string, values: object) => ({
  ...{ address: `module.shop["eu"].${type}.x[0]`, mode: 'managed', type, name: 'x', provider_name: 'p', values },
});
const PLAN = {
  format_version: '1.2',
  planned_values: {
    root_module: {
      resources: [
        resource('aws_instance', { instance_type: 'm5.large', root_block_device: [{ volume_size: 50, volume_type: 'gp3' }] }),
        resource('aws_db_instance', { instance_class: 'db.m5.xlarge', multi_az: true, allocated_storage: 100 }),
        resource('aws_eks_node_group', { instance_types: ['m5.xlarge'], scaling_config: [{ desired_size: 3, min_size: 2, max_size: 6 }] }),
        resource('aws_ebs_volume', { size: 500, type: 'sc1' }),
      ],
    },
  },
};

const row = (ResourceId: string, ConsumedUnit: string, ConsumedQuantity: string, more: object = {}) => ({
  ...{ ChargePeriodStart: '2026-05-01T00:00:00Z', ChargePeriodEnd: '2026-06-01T00:00:00Z', ChargeCategory: 'Usage' },
  ...{ ProviderName: 'Amazon Web Services', RegionId: 'eu-west-1', ServiceName: 'Amazon EC2', SubAccountId: '1' },
  ...{ EffectiveCost: '1', BilledCost: '1', BillingCurrency: 'USD', ResourceId, ConsumedUnit, ConsumedQuantity, ...more },
});
const BILL = [
  row('i-1', 'Hours', '350.5', { SkuPriceDetails: '{"InstanceType":"m5.xlarge"}' }),
  row('vol-1', 'GB-Months', '100'),
  row('net-1', 'GB', '123.456'),
  row('fn-1', 'Lambda-GB-Second', '3600', { ServiceName: 'AWS Lambda' }),
];
const SUPPORT = row('desk', 'Count', '1', { ServiceName: 'Support', EffectiveCost: '77.7', BilledCost: '77.7' });

const told = { cpu_utilization: 0.37, gpu_utilization: 0.8, packing: 0.9, lifespan_years: 6, pue: 1.33, storage_replication: 2 };
const REQUESTS: { [name: string]: EstimateRequest } = {
  'instances, by measured curves and what stands in for them': { ...AWS, usage: USAGE },
  'instances by the model of CCF': { ...AWS, usage: USAGE, method: { power_model: 'ccf' } },
  'instances without what their making emitted': { ...AWS, usage: USAGE, method: { embodied: false } },
  'instances with everything told': { ...AWS, usage: USAGE, assumptions: { ...told, grid_g_per_kwh: 0, job_minutes: 3 } },
  'instances on a marginal grid': { ...AWS, usage: USAGE, assumptions: { grid_g_per_kwh: 791 }, method: { grid: 'marginal' } },
  'instances nobody knows where': { provider: 'aws', region: 'mars-1', usage: USAGE },
  'workloads on nodes that nobody knows': { ...AWS, manifests: MANIFESTS, functional_unit: { name: 'orders', count: 8.1e8 } },
  'workloads on nodes': { ...AWS, manifests: MANIFESTS, nodes: NODES },
  'workloads with everything told': { ...AWS, manifests: MANIFESTS, assumptions: told, period_hours: 0.0001 },
  'workloads in a data centre of their own': { provider: 'on-prem', region: 'DE', manifests: MANIFESTS },
  'a Terraform plan': { ...AWS, terraform: PLAN },
  'a bill': { ...AWS, focus_rows: BILL },
  'a bill with rows that say no more than their price': { ...AWS, focus_rows: [...BILL, SUPPORT], spend_based: true },
  'everything at once': { ...AWS, usage: USAGE, manifests: MANIFESTS, terraform: PLAN, focus_rows: BILL },
};

/** What YAML, JavaScript or the arithmetic of the framework could take for something else. */
const HOSTILE = [
  ...['__proto__', 'constructor', 'toString', '', '-', '- a', '<<', '*a', '&a', '!!js', '%', '@', '`', '? a', ': ', '#', ' a', '|', '>'],
  ...['null', 'true', 'yes', 'on', '~', '.inf', '0x1f', '1_000', '190:20:30', '2026-01-01', '1-2', '=1+1', '=process.exit(3)', '1', '01'],
  ...['a\nb', 'a\r\n---\n', 'a: b', '"', "'", '\\', '\t', '\0', '\u0007\u001b[31m', '\u007f\u0085', '\u2028\ufeff\ufffe', '\ud800', '😀'],
  ...['item-1', 'item-2', 'a'.repeat(5000), 'arn:aws:ec2:eu-west-1:1:instance/i-1', 'module.a["b"].x[0]', '{{a}}'],
];

function exported(...results: EstimationResult[]): string {
  return impactFramework(
    results.map((result) => ({ result })),
    { title: 'A test' },
  );
}

/** Carbon in g, energy in kWh. */
function expectEqual(computed: { [metric: string]: number } | undefined, carbon: number, energy: number, name: string): void {
  for (const [metric, expected] of [
    ['carbon', carbon],
    ['energy', energy],
  ] as const) {
    const actual = computed?.[metric] ?? Number.NaN;
    expect(Math.abs(actual - expected), `${metric} of ${name}: ${actual} for ${expected}`).toBeLessThanOrEqual(1e-9 * expected);
  }
}

function expectSame(node: ComputedNode | undefined, { current }: EstimationResult, name: string): void {
  const children = Object.values(node?.children ?? {});
  expect(children.map(({ id }) => id)).toEqual(current.items.map(({ item }) => item.id));
  for (const [index, { item, energyKwh, operational, embodied }] of current.items.entries())
    expectEqual(children[index]?.outputs?.[0], (operational + embodied) * 1000, energyKwh, `${item.id} of ${name}`);
  const { total, energyKwh } = sumsOf(current.items);
  expectEqual(node?.aggregated, total.central * 1000, energyKwh.central, name);
}

describe('the Impact Framework, given our manifest', () => {
  it('computes what we computed, item by item and in sum, for every form of input', async () => {
    const names = Object.keys(REQUESTS);
    const results = await Promise.all(Object.values(REQUESTS).map((request) => estimation(request)));
    const { tree, status, printed } = await ifRun(exported(...results));
    expect({ status, printed }).toEqual({ status: 'success', printed: '' });
    const roles = new Set(results.flatMap(({ current }) => current.items.flatMap(({ factors }) => Object.keys(factors))));
    expect([...roles]).toEqual(expect.arrayContaining(['packing', 'gpuMaxWatts', 'hddWattsPerTb', 'networkKwhPerGb', 'kwhPerSpend']));
    for (const [index, result] of results.entries()) {
      expect(result.current.items.length, names[index]).toBeGreaterThan(0);
      expectSame(tree.children?.[`period-${index + 1}`], result, names[index] ?? '');
    }
  });

  it('computes it for every machine whose power was measured, and any load', async () => {
    const entry = fc.record({
      instance_type: fc.constantFrom(...[...machineData().curves.keys()].sort()),
      hours: fc.integer({ min: 0, max: 8760 * 3600 }).map((seconds) => seconds / 3600),
      cpu_utilization: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
      count: fc.integer({ min: 0, max: 1000 }),
    });
    const lists = fc.array(fc.array(entry, { minLength: 1, maxLength: 12 }), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom('best' as const, 'ccf' as const), async (requests, power_model) => {
        const results = await Promise.all(
          requests.map((usage) =>
            estimation({ ...AWS, usage: usage.map((one, at) => ({ id: `${at}`, ...one })), method: { power_model } }),
          ),
        );
        const { tree, printed } = await ifRun(exported(...results));
        expect(printed).toBe('');
        for (const [index, result] of results.entries()) expectSame(tree.children?.[`period-${index + 1}`], result, `list ${index}`);
      }),
      // One process, and none more to make a counterexample smaller.
      { numRuns: 1, endOnFailure: true },
    );
  });

  it('computes the SCI, of a period however short, and whatever items are called', async () => {
    const usage = HOSTILE.map((id) => ({ id, instance_type: 'm5.xlarge', region: id, hours: 1 }));
    const unit = { name: '=process.exit(3): "orders"\n', count: 0.3 };
    const result = await estimation({ provider: 'aws', usage, functional_unit: unit, period_hours: 0.0001 });
    const { tree, status, printed } = await ifRun(exported(result));
    expect({ status, printed }).toEqual({ status: 'success', printed: '' });
    expectSame(tree, result, 'hostile names');
    expect(tree.aggregated?.sci).toBeCloseTo((sumsOf(result.current.items).total.central * 1000) / 0.3, 9);
    expect(Object.keys(tree.children ?? {})).toContain('item-1');
  });

  it('follows no curve that falls with load, which its builtin cannot, and takes the watts at that load', async () => {
    const result = await estimation({ ...AWS, usage: [{ id: 'a', instance_type: 'm5.xlarge', hours: 1, cpu_utilization: 0.3 }] });
    const items = result.current.items.map((one) => {
      const power = { ...one.machine.power, cpuWattsPerVcpu: (load: number) => 9 - load };
      return { ...one, machine: { ...one.machine, power } };
    });
    const falling = { ...result, current: { ...result.current, items } };
    expectSame((await ifRun(exported(falling))).tree, result, 'a falling curve');
    expect(parse(exported(falling)).tree.children.a.inputs[0]).toHaveProperty(
      ['cpu/watts-per-vcpu'],
      items[0]?.factors.wattsPerVcpu?.value,
    );
  });

  it('accepts an estimate of nothing', async () => {
    const result = await estimation({ ...AWS, usage: [{ id: 'unknown', instance_type: 'z', hours: 1 }] });
    const { status, printed } = await ifRun(exported(result));
    expect({ status, printed }).toEqual({ status: 'success', printed: '' });
  });
});

describe('a manifest of the Impact Framework', () => {
  it('has what a reader of it looks for', async () => {
    const usage = [
      { id: 'web', instance_type: 'm5.xlarge', hours: 365, count: 2, cpu_utilization: 0.29 },
      { id: 'worker', instance_type: 'm7i.large', hours: 1 },
    ];
    const result = await estimation({ ...AWS, usage, functional_unit: { name: 'orders', count: 1e6 } });
    const manifest = parse(impactFramework([{ result, start: '2026-05-01T00:00:00Z' }], { title: 'Shop' }));
    expect(manifest).toMatchObject({
      name: 'Shop',
      description: expect.stringMatching(/g CO2e.*kWh.*Functional unit: orders.*Teads.*Electricity Maps/),
      aggregation: { metrics: ['carbon', 'energy', 'sci'], type: 'both' },
      tree: { children: { web: { id: 'web', provider: 'aws', region: 'eu-west-1', 'instance-type': 'm5.xlarge' } } },
    });
    expect(manifest.tree.children.web.inputs).toEqual([
      expect.objectContaining({
        ...{ timestamp: '2026-05-01T00:00:00Z', duration: 730 * 3600, hours: 365, count: 2, 'functional-unit': 1e6 },
        ...{ 'cpu/utilization': 29, 'vcpus-allocated': 4, 'memory/allocated-gb': 16, 'device/emissions-embodied': 1_610_790 },
      }),
    ]);
    expect(manifest.initialize.plugins['cpu/watts-per-vcpu of m5.xlarge']).toMatchObject({
      ...{ path: 'builtin', method: 'Interpolation', config: { x: [0, 10, 50, 100], 'input-parameter': 'cpu/utilization' } },
    });
    expect(manifest.initialize.plugins['cpu/watts-per-vcpu of m7i.large'].config.x).toEqual([0, 100]);
  });

  it('declares a plugin once, however many items need it', async () => {
    const usage = Array.from({ length: 50 }, (_, index) => ({ id: `i-${index}`, instance_type: 'm5.xlarge', hours: index }));
    const one = parse(exported(await estimation({ ...AWS, usage: usage.slice(0, 1) })));
    const many = parse(exported(await estimation({ ...AWS, usage })));
    expect(many.initialize).toEqual(one.initialize);
    for (const { path } of Object.values<{ path: string }>(many.initialize.plugins)) expect(path).toBe('builtin');
  });

  it('is the same bytes for the same estimate, and means the same to readers of YAML', async () => {
    const usage = HOSTILE.map((id) => ({ id, instance_type: 'm5.xlarge', hours: 0.1 }));
    const [one, other] = [await estimation({ ...AWS, usage }), await estimation({ ...AWS, usage: usage.toReversed() })];
    expect(exported(other)).toBe(exported(one));
    expect(parse(exported(one), { version: '1.1', merge: true }).tree).toEqual(parse(exported(one)).tree);
    expect(exported(one)).not.toMatch(/[^\n\x20-\x7e\u00a0-\u{10ffff}]/u);
  });

  it('has a name for every item, and the same for one whatever its neighbours are', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...HOSTILE, 'item-1', 'item-2', 'item-1-'))), (ids) => {
        const names = childNames(ids);
        expect(new Set(names).size).toBe(ids.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z][\x21-\x7e]*$/);
      }),
    );
    expect(childNames(['apps/Deployment/shop/web', 'a b', '__proto__', 'constructor', 'item-2'])).toEqual([
      ...['apps/Deployment/shop/web', 'item-2-', 'item-3', 'item-4', 'item-2'],
    ]);
  });

  it('is refused for a functional unit of nothing', async () => {
    const result = await estimation({ ...AWS, usage: USAGE });
    for (const count of [0, -1, Number.NaN]) {
      const functional_unit = { name: 'orders', count };
      expect(() => exported({ ...result, parameters: { ...result.parameters, functional_unit } })).toThrow(RangeError);
    }
  });
});
