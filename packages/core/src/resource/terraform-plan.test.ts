import { describe, expect, it } from 'vitest';
import { readDocument } from './read-document.js';

const plan = {
  format_version: '1.2',
  planned_values: {
    root_module: {
      resources: [
        {
          address: 'aws_s3_bucket.logs[0]',
          mode: 'managed',
          type: 'aws_s3_bucket',
          name: 'logs',
          provider_name: 'providers.example/hashicorp/aws',
          values: { bucket: 'logs', acl: null, versioning: [{ enabled: true }] },
        },
      ],
      child_modules: [
        {
          address: 'module.net',
          resources: [{ address: 'module.net.aws_vpc.main', mode: 'managed', type: 'aws_vpc', values: { cidr_block: '10.0.0.0/8' } }],
          child_modules: [{ address: 'module.net.module.x', resources: [{ mode: 'managed' }] }],
        },
      ],
    },
  },
  resource_changes: [
    {
      address: 'aws_s3_bucket.logs[0]',
      change: { actions: ['create'], after_unknown: { arn: true, versioning: [{}, { mfa: true }], acl: false } },
    },
    { address: 'module.net.aws_vpc.main', change: { actions: ['update'], after_unknown: { tags: {} } } },
    { address: 'aws_vpc.gone', change: { actions: ['delete'], after_unknown: {} } },
  ],
  prior_state: {
    values: {
      root_module: {
        resources: [
          { address: 'data.aws_iam_policy_document.p', mode: 'data', type: 'aws_iam_policy_document', values: { version: '2012-10-17' } },
          { address: 'aws_vpc.gone', mode: 'managed', type: 'aws_vpc', values: {} },
        ],
      },
    },
  },
};

function read(value: unknown) {
  return readDocument({ file: 'plan.json', index: 0, text: JSON.stringify(value, null, 2), line: 1 });
}

describe('reading the JSON of a Terraform plan', () => {
  it('gives the planned resources of every module, and the data sources that were read', () => {
    expect(read(plan).resources.map(({ apiVersion, kind, name }) => [apiVersion, kind, name])).toEqual([
      ['terraform', 'aws_s3_bucket', 'aws_s3_bucket.logs[0]'],
      ['terraform', 'aws_vpc', 'module.net.aws_vpc.main'],
      ['terraform', 'data.aws_iam_policy_document', 'data.aws_iam_policy_document.p'],
    ]);
  });

  it('gives the values of the arguments, and what Terraform knows beside them', () => {
    const [bucket, vpc, document] = read(plan).resources;
    expect(bucket?.object).toEqual({ bucket: 'logs', versioning: [{ enabled: true }] });
    expect(bucket?.terraform).toEqual({
      mode: 'managed',
      type: 'aws_s3_bucket',
      provider: 'providers.example/hashicorp/aws',
      module: '',
    });
    expect(bucket?.unknown).toEqual([
      { pointer: '/arn', reason: 'unknown-value', message: 'The value is known only after apply.' },
      { pointer: '/versioning/1/mfa', reason: 'unknown-value', message: 'The value is known only after apply.' },
    ]);
    expect(vpc?.terraform).toEqual({ mode: 'managed', type: 'aws_vpc', provider: '', module: 'module.net' });
    expect(vpc?.unknown).toBeUndefined();
    expect(document?.terraform).toMatchObject({ mode: 'data', type: 'aws_iam_policy_document' });
  });

  it('finds the place of a value', () => {
    const [bucket] = read(plan).resources;
    const lines = JSON.stringify(plan, null, 2).split('\n');
    const line = bucket?.position('/versioning/0/enabled').line ?? 0;
    expect(lines[line - 1]).toContain('"enabled": true');
    expect(lines[(bucket?.position('').line ?? 0) - 1]?.trim()).toBe('{');
    expect(lines[(bucket?.position('/absent').line ?? 0) - 1]).toContain('"values"');
  });

  it('reports a resource that does not say what it is, and reads the rest', () => {
    expect(read(plan).errors).toMatchObject([{ code: 'malformed', message: expect.stringContaining('no address or no type') }]);
  });

  it('reads the JSON of a state', () => {
    const state = { format_version: '1.0', values: plan.planned_values };
    expect(read(state).resources).toHaveLength(2);
    expect(read({ format_version: '1.0', values: {} })).toMatchObject({ resources: [], errors: [] });
  });
});
