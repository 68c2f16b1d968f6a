import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '@bylaw/core/evaluate';
import { type JsonSchema, requestCheck } from '@bylaw/core/http';
import { comparisonSchemaOf, loadPlugins } from '@bylaw/core/plugin';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw } from './run-cli.js';

const deployment = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'checkout', namespace: 'shop' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'a', image: 'shop/a:1.0.0', resources: { requests: { cpu: '1', memory: '2Gi' } } }] },
    },
  },
});
const plan = (type: string) => ({
  format_version: '1.2',
  planned_values: {
    root_module: { resources: [{ address: 'aws_instance.web', mode: 'managed', type: 'aws_instance', values: { instance_type: type } }] },
  },
  configuration: { provider_config: { aws: { expressions: { region: { constant_value: 'us-east-1' } } } } },
});
const BEFORE = JSON.stringify(deployment(2));
const AFTER = JSON.stringify(deployment(4));

const folders = (files: { readonly [path: string]: string } = {}) => folderOf({ 'a.json': BEFORE, 'b.json': AFTER, ...files });
const validate = (cwd: string, ...args: string[]) => bylaw(['validate', 'a.json', 'b.json', ...args], { cwd });
const parsed = (stdout: string) => JSON.parse(stdout) as Comparison & { cost: object; carbon: object }; // what the command promises

describe('what a change does to cost and carbon', () => {
  let url: string;
  let schema: JsonSchema;
  beforeAll(async () => {
    schema = await comparisonSchemaOf(await loadPlugins(['carbon', 'finops'].map((name) => join(ROOT, 'packages', `plugin-${name}`))));
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  const post = async (body: object) => {
    const response = await fetch(`${url}/api/v1/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const files = (path: string, content: string) => ({ files: [{ path, content }] });
  const sides = { current: files('a.json', BEFORE), proposed: files('b.json', AFTER) };

  it.each([
    [{ provider: 'aws', region: 'us-east-1' }, ['--provider', 'aws', '--region', 'us-east-1']],
    [
      { provider: 'gcp', region: 'europe-west4', instance_type: 'e2-standard-4', nodes: 3 },
      ['--provider', 'gcp', '--region', 'europe-west4', '--instance-type', 'e2-standard-4', '--nodes', '3'],
    ],
    [{}, []],
  ])('is the same by REST, by command, and by a command that asks the server: %j', async (place, flags) => {
    const { status, text } = await post({ ...sides, place });
    expect(status).toBe(200);
    const cwd = folders();
    expect((await validate(cwd, ...flags, '--json')).stdout).toBe(text);
    expect((await validate(cwd, ...flags, '--json', '--remote', url)).stdout).toBe(text);
    expect(requestCheck(schema)(JSON.parse(text))).toEqual([]);
  });

  it('is told with its range and its sign, and changes neither verdict nor exit code', async () => {
    const { stdout, code } = await validate(folders(), '--provider', 'aws', '--region', 'us-east-1');
    expect(stdout).toMatch(/Carbon: \+[\d.]+ \(\+[\d.]+ to \+[\d.]+\) kg CO2e per month, \+100 %/);
    expect(stdout).toMatch(/Cost: \+[\d.]+ \(\+[\d.]+ to \+[\d.]+\) USD per month at list prices, \+100 %/);
    expect(stdout).toContain('Verdict: unchanged');
    expect(code).toBe(0);
  });

  const limits = (cost: string, carbon = cost) => ['--fail-on-cost-increase', cost, '--fail-on-carbon-increase', carbon];
  const inOregon = ['--provider', 'aws', '--region', 'us-west-2'];

  it('fails a job where a central difference is above the limit, and says which', async () => {
    const cwd = folders();
    const above = await validate(cwd, ...inOregon, ...limits('99.9%', '100'), '--json');
    expect(above).toMatchObject({ code: 1, stderr: 'cost rises by 100 %: --fail-on-cost-increase allows 99.9 %.\n' });
    expect(parsed(above.stdout).verdict).toBe('unchanged');
    const both = await validate(cwd, ...inOregon, ...limits('0'), '--remote', url);
    expect(both.stderr).toMatch(/^cost rises by 100 %: .+ 0 %\.\ncarbon rises by 100 %: --fail-on-carbon-increase allows 0 %\.\n$/);
    expect(both.code).toBe(1);
    const falling = await bylaw(['validate', 'b.json', 'a.json', ...inOregon, ...limits('0%')], { cwd });
    expect(falling).toMatchObject({ code: 0, stderr: '' });
  });

  it('fails a job by any limit where something rises from zero, and by none where nothing runs', async () => {
    const config = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'n' } });
    const cwd = folders({ 'a.json': config });
    const { code, stderr } = await validate(cwd, ...inOregon, ...limits('1000%'));
    expect(stderr).toMatch(/^cost rises from zero: .+ 1000 %\.\ncarbon rises from zero: .+ 1000 %\.\n$/);
    expect(code).toBe(1);
    expect(await bylaw(['validate', 'a.json', 'a.json', ...limits('0')], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  it('cannot be held to a limit where it is not known, and the reason is told', async () => {
    const { code, stderr } = await validate(folders(), ...limits('10%'));
    for (const flag of ['--fail-on-cost-increase', '--fail-on-carbon-increase'])
      expect(stderr).toContain(
        `error: ${flag} cannot be checked: the difference is unknown. apps/Deployment/shop/checkout: The provider is unknown`,
      );
    expect(code).toBe(2);
    const cwd = folders({ 'bylaw.yaml': 'workloads: { provider: aws, region: us-east-1 }\nfinops: { prices: prices.csv }\n' });
    const unusable = await validate(cwd, '--fail-on-cost-increase', '10%');
    expect(unusable.stderr).toContain('unknown. The configured price file cannot be used: it does not exist.');
    expect(unusable.code).toBe(2);
  });

  it('is held to a limit as far as it is known, with a warning of what is not', async () => {
    const odd = { address: 'aws_instance.odd', mode: 'managed', type: 'aws_instance', values: { instance_type: 'zz9.plural' } };
    const dearer = plan('m5.xlarge');
    dearer.planned_values.root_module.resources.push(odd);
    const cwd = folders({ 'a.json': JSON.stringify(plan('m5.large')), 'b.json': JSON.stringify(dearer) });
    const warning = 'warning: --fail-on-cost-increase does not include 1 changed resource with unknown cost.\n';
    expect(await validate(cwd, '--fail-on-cost-increase', '100%')).toMatchObject({ code: 0, stderr: warning });
    const above = await validate(cwd, '--fail-on-cost-increase', '99%');
    expect(above).toMatchObject({ code: 1, stderr: `cost rises by 100 %: --fail-on-cost-increase allows 99 %.\n${warning}` });
  });

  it('is refused with a limit that is none', async () => {
    expect(await validate(folders(), ...limits('much'))).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('--fail-on-cost-increase must be a percentage'),
    });
  });

  it('takes the place from bylaw.yaml, and flags before it', async () => {
    const cwd = folders({ 'bylaw.yaml': 'workloads: { provider: aws, region: us-east-1 }\n' });
    const fromFile = (await validate(cwd, '--json')).stdout;
    expect(fromFile).toBe((await validate(folders(), '--provider', 'aws', '--region', 'us-east-1', '--json')).stdout);
    expect(parsed((await validate(cwd, '--json', '--region', 'eu-north-1')).stdout).carbon).not.toEqual(parsed(fromFile).carbon);
    const wrong = await validate(folders({ 'bylaw.yaml': 'workloads: { provider: acme }\n' }));
    expect(wrong.code).toBe(3);
  });

  it('says how to mend it where nobody says where workloads run; Terraform says it itself', async () => {
    const { stdout } = await validate(folders());
    expect(stdout).toContain('The cost and carbon of apps/Deployment/shop/checkout is unknown: The provider is unknown.');
    const terraform = await validate(folders({ 'a.json': JSON.stringify(plan('m5.large')), 'b.json': JSON.stringify(plan('m5.xlarge')) }));
    expect(terraform.stdout).toContain('Cost: +70.08 USD per month at list prices, +100 %.');
  });

  it('takes prices of the user before those of the lists, and says what is wrong with their file', async () => {
    const config = 'workloads: { provider: aws, region: eu-west-1, instance_type: own.large }\nfinops: { prices: prices.csv }\n';
    const header = 'EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version\n';
    const files = { 'bylaw.yaml': config, 'a.json': JSON.stringify(plan('own.large')), 'b.json': JSON.stringify(plan('own.xlarge')) };
    const prices = `${header},,us-east-1,node,,own.large,1,\n,,us-east-1,node,,own.xlarge,3,\n`;
    const cost = (await validate(folders({ ...files, 'prices.csv': prices }), '--json')).stdout;
    expect(parsed(cost).cost).toMatchObject({
      delta: { amount: 1460, low: 1460, high: 1460 },
      sources: [expect.stringContaining('price file')],
    });
    const missing = await validate(folders(files));
    expect(missing.stdout).toContain('Cost: unknown. The configured price file cannot be used: it does not exist.');
    expect(missing.code).toBe(0);
  });

  it('is not spoken of where nothing runs', async () => {
    const config = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'n' } });
    const { stdout } = await validate(folders({ 'a.json': config, 'b.json': config }));
    expect(stdout).not.toMatch(/carbon|cost/i);
  });

  it('is refused by REST with a place that means nothing, without an echo', async () => {
    const { status, text } = await post({ ...sides, place: { provider: 'acme-secret' } });
    expect(status).toBe(422);
    expect(text).not.toContain('acme-secret');
    expect((await post({ ...sides, place: { zone: 'a' } })).status).toBe(422);
  });

  it('stands on a page of its own, whatever the names', async () => {
    const hostile = { ...deployment(3), metadata: { name: '<script>alert(1)</script>', namespace: 'shop' } };
    const cwd = folders({ 'b.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [deployment(4), hostile] }) });
    const { code } = await validate(cwd, '--provider', 'aws', '--region', 'us-east-1', '--html', 'page.html');
    const page = readFileSync(join(cwd, 'page.html'), 'utf8');
    expect(code).toBe(1);
    expect(page).toContain('Cost by resource');
    expect(page).toContain('Carbon by resource');
    expect(page).toContain('on-demand list prices');
    expect(page).not.toContain('<script>');
  });
});
