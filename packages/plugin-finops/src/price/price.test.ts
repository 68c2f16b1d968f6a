import { requestCheck } from '@bylaw/core/http';
import { type Resource, readObject } from '@bylaw/core/resource';
import type { Place } from '@bylaw/core/workload';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COST_DIFFERENCE, comparePrices, shippedList } from './index.js';

const AWS: Place = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' };
const resources = (objects: readonly object[]): Resource[] =>
  objects.flatMap((object, document) => readObject(object, { file: 'f', document }).resources);
const compare = (current: readonly object[], proposed: readonly object[], place: Place = AWS) =>
  comparePrices({ current: resources(current), proposed: resources(proposed), place }, shippedList());

const deployment = (name: string, replicas: number, cpu = '1', more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
  spec: { replicas, template: { spec: { ...more, containers: [{ name: 'a', resources: { requests: { cpu, memory: '2Gi' } } }] } } },
});
const terraform = (type: string, values: object, region = 'us-east-1') => ({
  format_version: '1.2',
  planned_values: { root_module: { resources: [{ address: `${type}.r`, mode: 'managed', type, values }] } },
  configuration: { provider_config: { aws: { expressions: { region: { constant_value: region } } } } },
});

describe('the price list', () => {
  it.each([
    ['aws', 'us-east-1', 'm5.xlarge', 0.192],
    ['aws', 'us-east-1a', 'm5.xlarge', 0.192],
    ['azure', 'East US', 'Standard_D4s_v5', 0.192],
    ['gcp', 'us-central1-b', 'e2-standard-4', 0.134023],
  ] as const)('has the machines of %s in %s: %s', (provider, region, type, amount) => {
    expect(shippedList().hourPrice(provider, region, type)).toMatchObject({ amount, low: 1, high: 1, inferred: false });
  });

  it('takes the price of another region where it has none, and says so by the range', () => {
    const price = shippedList().hourPrice('aws', 'eu-west-1', 'm5.xlarge');
    expect(price).toMatchObject({ amount: 0.192, low: 1, inferred: true, words: expect.stringContaining('us-east-1') });
    expect(price?.high).toBeGreaterThan(1.2);
    expect(shippedList().hourPrice('aws', undefined, 'm5.xlarge')?.inferred).toBe(true);
    expect(shippedList().hourPrice('aws', '__proto__', 'm5.xlarge')?.inferred).toBe(true);
  });

  it('does not know what it does not have', () => {
    expect(shippedList().hourPrice('aws', 'us-east-1', 'zz9.huge')).toBeUndefined();
    expect(shippedList().sizeOf('aws', 'constructor')).toBeUndefined();
  });

  it.each(['aws', 'azure', 'gcp'] as const)('has a vCPU of machines of %s for general purposes, from cheap to dear', (provider) => {
    const { amount, low, high, words } = shippedList().vcpuPrice(provider, undefined);
    expect(words).toContain('a vCPU with 4 GiB');
    expect([amount > 0.03, amount < 0.08, low <= 1, high >= 1]).toEqual([true, true, true, true]);
  });
});

describe('the cost of a change', () => {
  it.each([
    ['of nothing', [], []],
    ['of what is new', [], [deployment('a', 2)]],
    ['of what goes', [deployment('a', 2)], []],
    ['of the largest pods', [deployment('a', 0)], [deployment('a', 1_000_000, '1e308')]],
  ])('holds to its schema: %s', (_, before, after) => {
    const check = requestCheck(COST_DIFFERENCE);
    expect(check(JSON.parse(JSON.stringify(compare(before, after))))).toEqual([]);
  });

  it('is a pod’s share of its machine, over how full machines are', () => {
    const { delta, current, percent, per_item } = compare([deployment('a', 1)], [deployment('a', 3)]);
    const one = (0.192 / 4) * 730;
    expect(delta).toEqual({
      amount: round((2 * one) / 0.65),
      currency: 'USD',
      low: round((2 * one) / 0.85),
      high: round((2 * one) / 0.45),
    });
    expect(current.amount).toBe(round(one / 0.65));
    expect(percent).toBe(200);
    expect(per_item).toEqual([{ id: 'apps/Deployment/shop/a', delta, price: 'm5.xlarge in us-east-1, 0.192 USD per hour' }]);
  });

  it('goes by memory where a pod asks for more of that, and by the type that the pod itself names', () => {
    const large = deployment('a', 1, '100m', { nodeSelector: { 'node.kubernetes.io/instance-type': 'm5.large' } });
    expect(compare([], [large]).delta.amount).toBe(round(((2 / 8) * 0.096 * 730) / 0.65));
  });

  it('of machines of Terraform is their price, exactly', () => {
    const { delta, unpriced } = compare(
      [terraform('aws_instance', { instance_type: 'm5.large' })],
      [terraform('aws_instance', { instance_type: 'm5.xlarge' })],
      {},
    );
    expect(delta).toEqual({ amount: round(0.096 * 730), currency: 'USD', low: round(0.096 * 730), high: round(0.096 * 730) });
    expect(unpriced).toEqual([]);
  });

  it('lies between the ends of an autoscaler', () => {
    const scaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 's', namespace: 'shop' },
      spec: { minReplicas: 1, maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'a' } },
    };
    const { delta } = compare([deployment('a', 2)], [deployment('a', 2), scaler]);
    expect(delta.low).toBeLessThan(0);
    expect(delta.amount).toBeGreaterThan(0);
  });

  it.each([
    ['aws_db_instance', { instance_class: 'db.m5.large' }, 'databases'],
    ['aws_ebs_volume', { size: 100 }, 'disks'],
    ['aws_spot_instance_request', { instance_type: 'm5.large' }, 'Spot'],
    [
      'aws_eks_node_group',
      { instance_types: ['m5.large'], capacity_type: 'SPOT', scaling_config: [{ desired_size: 2, min_size: 1, max_size: 3 }] },
      'Spot',
    ],
    ['google_compute_instance', { machine_type: 'e2-medium', scheduling: [{ preemptible: true }] }, 'Spot'],
    ['azurerm_windows_virtual_machine', { size: 'Standard_D2s_v5' }, 'Linux'],
    ['google_compute_instance', { machine_type: 'n1-standard-4', guest_accelerator: [{ type: 'nvidia-tesla-t4', count: 1 }] }, 'GPUs'],
    ['aws_instance', { instance_type: 'zz9.huge' }, 'do not include its type'],
    ['aws_instance', {}, 'not set'],
  ])('is never guessed: %s %o', (type, values, reason) => {
    const { unpriced, delta } = compare([], [terraform(type, values)]);
    expect(unpriced).toEqual([{ id: `${type}.r`, reason: expect.stringContaining(reason) }]);
    expect(delta.amount).toBe(0);
  });

  it('says why the cost of a pod is not known, and how to mend it', () => {
    const reasons = (place: Place, object: object = deployment('a', 1)) =>
      compare([], [object], place).unpriced.map(({ reason }) => reason);
    expect(reasons({})).toEqual([expect.stringContaining('--provider')]);
    expect(reasons({ provider: 'on-prem' })).toEqual([expect.stringContaining('no list prices')]);
    expect(reasons({ ...AWS, instance_type: 'zz9.huge' })).toEqual([expect.stringContaining('do not include the instance type')]);
    expect(reasons(AWS, { ...deployment('a', 1), kind: 'DaemonSet' })).toEqual([expect.stringContaining('`nodes`')]);
    expect(reasons(AWS, deployment('a', 0))).toEqual([expect.stringContaining('zero replicas')]);
  });

  it('has no part in what does not run, or does not differ', () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } };
    expect(compare([], [config])).toMatchObject({ per_item: [], unpriced: [], delta: { amount: 0, low: 0, high: 0 }, percent: null });
    const same = compare([deployment('a', 1), deployment('b', 0)], [deployment('a', 1), deployment('b', 0)]);
    expect(same).toMatchObject({ per_item: [], unpriced: [], delta: { amount: 0 }, percent: 0 });
  });

  it('turns round with the sides, adds up, and does not depend on the order of the input', () => {
    const side = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), replicas: fc.nat(5), cpu: fc.constantFrom('100m', '1', '3') }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(side, side, (before, after) => {
        const objects = (list: typeof before) => list.map(({ name, replicas, cpu }) => deployment(name, replicas, cpu));
        const there = compare(objects(before), objects(after));
        const back = compare(objects(after), objects(before).toReversed());
        expect(back.delta.amount).toBeCloseTo(-there.delta.amount, 5);
        expect(back.delta.low).toBeCloseTo(-there.delta.high, 5);
        expect(there.delta.low <= there.delta.amount && there.delta.amount <= there.delta.high).toBe(true);
        expect(there.per_item.reduce((sum, { delta }) => sum + delta.amount, 0)).toBeCloseTo(there.delta.amount, 4);
        expect(compare(objects(before).toReversed(), objects(after).toReversed())).toEqual(there);
      }),
      { numRuns: 100 },
    );
  });
});

function round(value: number): number {
  return Number(value.toFixed(6));
}
