import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const BILL = join(ROOT, 'examples', 'cost', 'focus.csv');
const focus_csv = readFileSync(BILL, 'utf8');
const usage = [{ id: 'web', instance_type: 'm5.large', hours: 730, count: 2 }];
const placed = usage.map((entry) => ({ ...entry, region: 'us-east-1' }));
const other = [{ id: 'web', instance_type: 'e2-standard-2', hours: 730, count: 3 }];
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1', memory: '2Gi' } } }] },
};
const aws = { provider: 'aws', region: 'us-east-1' };
const inVirginia = ['--provider', 'aws', '--region', 'us-east-1'];

describe('an estimate of a proposal', () => {
  let url: string;
  beforeAll(async () => {
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  it.each([
    [
      { usage, ...aws, compare: { proposed: { usage: other, provider: 'gcp', region: 'europe-north1' } } },
      ['--usage', 'usage.json', '--compare-usage', 'other.json', '--compare-provider', 'gcp', '--compare-region', 'europe-north1'],
    ],
    [
      {
        ...{ manifests: [pod], ...aws, nodes: [{ instance_type: 'm5.large', count: 2 }] },
        compare: { proposed: { manifests: [pod], nodes: [{ instance_type: 'm6g.large', count: 1 }] } },
      },
      ['pod.json', '--nodes', 'm5.large=2', '--compare-nodes', 'm6g.large=1'],
    ],
    [
      { usage: placed, ...aws, compare: { proposed: { usage, region: 'eu-north-1' } } },
      ['--usage', 'placed.json', '--compare-region', 'eu-north-1'],
    ],
    [{ focus_csv, ...aws, compare: { proposed: { focus_csv } } }, ['--focus', BILL, '--compare-focus', BILL]],
    [{ focus_csv, ...aws, compare: { proposed: { usage } } }, ['--focus', BILL, '--compare-usage', 'usage.json']],
  ])('is the same by REST, by command, by a command that asks the server, and by tool: %#', async (body, flags) => {
    const response = await fetch(`${url}/api/v1/carbon/estimate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const expected = (await response.json()) as object;
    expect(expected).toHaveProperty('comparison');
    const files = { 'usage.json': usage, 'placed.json': placed, 'other.json': other, 'pod.json': pod };
    const cwd = folderOf(Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])));
    const args = ['carbon', 'estimate', ...flags, ...inVirginia, '--json'];
    expect(JSON.parse((await bylaw(args, { cwd })).stdout)).toEqual(expected);
    expect(JSON.parse((await bylaw([...args, '--remote', url], { cwd })).stdout)).toEqual(expected);
    expect(await toolAnswer('estimate_carbon', body)).toEqual(expected);
  });

  it.each([
    [['--focus', BILL, '--compare-region', 'eu-north-1'], 'A bill already specifies where things run'],
    [['--terraform', 'plan.json', '--compare-region', 'eu-north-1'], 'A Terraform plan already specifies where things run'],
    [['--focus', BILL, '--usage', 'usage.json', '--compare-provider', 'gcp'], 'A bill already specifies where things run'],
    [['--usage', 'usage.json', '--compare-nodes', 'many'], '--compare-nodes must be TYPE=COUNT'],
    [['--usage', 'usage.json', '--compare-usage', 'missing.json'], 'missing.json'],
  ])('is refused as %j', async (flags, words) => {
    const plan = { format_version: '1.2', terraform_version: '1.9.0', planned_values: { root_module: {} } };
    const cwd = folderOf({ 'usage.json': JSON.stringify(usage), 'plan.json': JSON.stringify(plan) });
    expect(await bylaw(['carbon', 'estimate', ...flags, ...inVirginia], { cwd })).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining(words),
    });
  });
});
