import { requestCheck } from '@bylaw/core/http';
import { type Resource, readObject } from '@bylaw/core/resource';
import type { Place } from '@bylaw/core/workload';
import { describe, expect, it } from 'vitest';
import { type CarbonDifference, estimate } from '../estimate/index.js';
import carbonComparer from './compare.js';
import { CARBON_DIFFERENCE } from './difference-schema.js';

const AWS = { provider: 'aws', region: 'eu-west-1' } as const;
const resources = (objects: readonly object[]): Resource[] =>
  objects.flatMap((object, document) => readObject(object, { file: 'f', document }).resources);

async function compare(current: readonly object[], proposed: readonly object[], place: Place = AWS): Promise<CarbonDifference> {
  return carbonComparer()({ current: resources(current), proposed: resources(proposed), place });
}

const deployment = (name: string, replicas: number, cpu = '1') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
  spec: { replicas, template: { spec: { containers: [{ name: 'a', resources: { requests: { cpu, memory: '2Gi' } } }] } } },
});
const instance = (type: string) => ({
  format_version: '1.2',
  planned_values: {
    root_module: { resources: [{ address: 'aws_instance.web', mode: 'managed', type: 'aws_instance', values: { instance_type: type } }] },
  },
  configuration: { provider_config: { aws: { expressions: { region: { constant_value: 'eu-west-1' } } } } },
});

describe('the emissions of a change', () => {
  it('are those that the estimate gives for the same input', async () => {
    const [before, after] = [
      [deployment('a', 2), deployment('b', 1)],
      [deployment('a', 4), deployment('b', 1)],
    ];
    const mine = await compare(before, after);
    const { total, comparison } = await estimate({ ...AWS, manifests: before, compare: { proposed: { manifests: after } } });
    expect(mine).toMatchObject({
      current_kg_co2e: total.kg_co2e,
      proposed_kg_co2e: comparison?.proposed.kg_co2e,
      delta_kg_co2e: comparison?.delta_kg_co2e,
      percent: comparison?.percent,
      probability_lower: comparison?.probability_lower,
    });
    expect(mine.per_item.map(({ id }) => id)).toEqual(['apps/Deployment/shop/a']);
  });

  it.each([
    ['of nothing', [], []],
    ['of what is new', [], [deployment('a', 2)]],
    ['of what goes', [deployment('a', 2)], []],
    ['of the largest pods', [deployment('a', 0)], [deployment('a', 1_000_000, '1e308')]],
  ])('hold to their schema: %s', async (_, before, after) => {
    const check = requestCheck(CARBON_DIFFERENCE);
    expect(check(JSON.parse(JSON.stringify(await compare(before, after))))).toEqual([]);
  });

  it('are zero if nothing that runs differs', async () => {
    const labelled = { ...deployment('a', 2), metadata: { name: 'a', namespace: 'shop', labels: { team: 'x' } } };
    const { delta_kg_co2e, per_item, per_item_total } = await compare([deployment('a', 2)], [labelled]);
    expect({ delta_kg_co2e, per_item, per_item_total }).toEqual({
      delta_kg_co2e: { p5: 0, central: 0, p95: 0 },
      per_item: [],
      per_item_total: 0,
    });
  });

  it('of manifests need a provider, and those of Terraform do not', async () => {
    const { unestimated, per_item } = await compare(
      [instance('m5.large'), deployment('a', 1)],
      [instance('m5.4xlarge'), deployment('a', 2)],
      {},
    );
    expect(unestimated).toEqual([{ id: 'apps/Deployment/shop/a', reason: expect.stringContaining('--provider') }]);
    expect(per_item.map(({ id }) => id)).toEqual(['aws_instance.web']);
  });

  it('use the given region and machines, for resources of that provider only', async () => {
    const delta = async (place: Place) => (await compare([deployment('a', 1)], [deployment('a', 2)], place)).delta_kg_co2e.central;
    expect(await delta({ ...AWS, region: 'eu-north-1' })).toBeLessThan(await delta(AWS));
    expect(await delta({ ...AWS, instance_type: 'm6g.large' })).not.toBe(await delta(AWS));
    const terraform = (place: Place) => compare([instance('m5.large')], [instance('m5.xlarge')], place);
    expect(await terraform({ provider: 'gcp', region: 'europe-west1' })).toEqual(await terraform({}));
  });

  it('count what is on one side only, and DaemonSets by the number of nodes', async () => {
    const daemon = { ...deployment('agent', 1), kind: 'DaemonSet' };
    expect((await compare([], [daemon])).unestimated).toEqual([
      { id: 'apps/DaemonSet/shop/agent', reason: expect.stringContaining('`nodes`') },
    ]);
    const { delta_kg_co2e, percent } = await compare([], [daemon], { ...AWS, nodes: 3 });
    expect(delta_kg_co2e).toEqual((await compare([], [deployment('a', 3)])).delta_kg_co2e);
    expect(percent).toBeNull();
  });

  it('do not name what is assumed of resources that did not change', async () => {
    const silent = (name: string, replicas: number) => ({
      ...deployment(name, replicas),
      spec: { replicas, template: { spec: { containers: [{ name: 'a' }] } } },
    });
    const { warnings } = await compare([silent('a', 1), silent('b', 1)], [silent('a', 1), silent('b', 2)]);
    expect(warnings).toEqual([expect.stringContaining('apps/Deployment/shop/b: ')]);
    expect((await compare([], [deployment('a', 1)], { provider: 'aws' })).warnings).toEqual([
      expect.stringContaining('The region is unknown'),
    ]);
  });

  it('list the largest only, and say how many there are', async () => {
    const many = (replicas: number) => Array.from({ length: 300 }, (_, at) => deployment(`d${at}`, replicas, `${at + 1}m`));
    const { per_item, per_item_total, delta_kg_co2e } = await compare(many(1), many(2));
    expect([per_item.length, per_item_total]).toEqual([20, 300]);
    expect(per_item[0]?.id).toBe('apps/Deployment/shop/d299');
    expect(delta_kg_co2e).toEqual((await compare(many(2), many(3).toReversed())).delta_kg_co2e);
  });
});
