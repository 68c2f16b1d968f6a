import { describe, expect, it } from 'vitest';
import { type Resource, readObject } from '../resource/index.js';
import { changesBetween, placeWith, terraformParts } from './index.js';

const read = (object: object): Resource[] => readObject(object, { file: 'f', document: 0 }).resources;
const deployment = (name: string, replicas: number) =>
  read({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas } });

const plan = (values: object) =>
  read({
    format_version: '1.2',
    planned_values: { root_module: { resources: [{ address: 'aws_instance.web', mode: 'managed', type: 'aws_instance', values }] } },
    configuration: { provider_config: { aws: { expressions: { region: { constant_value: 'eu-west-1' } } } } },
  });

describe('where workloads run', () => {
  it('is what is given, and else what is configured', () => {
    expect(placeWith({ region: 'us-east-1' }, { provider: 'aws', region: 'eu-west-1', nodes: 3 })).toEqual({
      provider: 'aws',
      region: 'us-east-1',
      nodes: 3,
    });
    expect(placeWith({}, { provider: 'aws' })).toEqual({ provider: 'aws' });
  });

  it('does not mix one provider with the region and the machines of another', () => {
    const configured = { provider: 'aws', region: 'eu-west-1', instance_type: 'm5.large', nodes: 3 } as const;
    expect(placeWith({ provider: 'gcp' }, configured)).toEqual({ provider: 'gcp', nodes: 3 });
    expect(placeWith({ provider: 'aws' }, configured)).toEqual(configured);
  });

  it('is known of Terraform resources whose provider has a region', () => {
    expect(plan({ instance_type: 'm5.large' })[0]?.terraform?.region).toBe('eu-west-1');
  });
});

describe('what differs between two sides', () => {
  it('is what stands on one side only, or is not the same on both', () => {
    const changed = changesBetween(
      [...deployment('same', 1), ...deployment('more', 1), ...deployment('old', 1)],
      [...deployment('same', 1), ...deployment('more', 2), ...deployment('new', 1)],
    );
    const ids = ['same', 'more', 'old', 'new', 'other'].map((name) => `apps/Deployment/default/${name}`);
    expect(ids.map(changed)).toEqual([false, true, true, true, false]);
  });

  it('counts the parts of a resource with it', () => {
    const changed = changesBetween(deployment('a', 1), deployment('a', 2));
    expect(['apps/Deployment/default/a#gpu', 'apps/Deployment/default/a@m5.large'].map(changed)).toEqual([true, true]);
  });
});

describe('what a Terraform resource makes run', () => {
  it('is its parts, or why they are not known; nothing for what runs nothing', () => {
    const parts = (resources: readonly Resource[]) => resources.map((resource) => terraformParts(resource));
    expect(parts(plan({ instance_type: 'm5.large' }))).toMatchObject([{ provider: 'aws', parts: [{ type: 'm5.large' }] }]);
    expect(parts(plan({}))).toEqual([{ provider: 'aws', reason: '`instance_type` is not set.' }]);
    expect(parts(deployment('a', 1))).toEqual([undefined]);
  });
});
