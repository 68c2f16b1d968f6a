import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import type { Endpoint, RunContext, Services } from '@bylaw/core/endpoint';
import { endpointRoute, endpointTool } from '@bylaw/core/endpoint/host';
import { createRouter, type RunningServer, requestCheck, serveHttp } from '@bylaw/core/http';
import { createLog } from '@bylaw/core/log';
import { operationThreads } from '@bylaw/core/operation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimateCarbon, reportCarbon } from './endpoints.js';
import { ESTIMATE_ANSWER } from './estimate-answer.js';
import { RENDERED_ANSWER, REPORT_ANSWER } from './report-answer.js';

const breachesOf = {
  estimateRequest: requestCheck(estimateCarbon.input),
  reportRequest: requestCheck(reportCarbon.input),
  estimate: requestCheck(ESTIMATE_ANSWER),
  report: requestCheck(REPORT_ANSWER),
  rendered: requestCheck(RENDERED_ANSWER),
};

const SERVICES = { threads: operationThreads(), clock: systemClock } as Services; // nothing else is asked of them

const PLACE = { provider: 'aws', region: 'eu-west-1' } as const;
const UNIT = { name: 'requests', count: 1000 };
const LEAST_UNIT = { name: 'requests', count: 1e-9 };

const line = (more: object = {}) => ({ id: 'web', instance_type: 'm5.large', hours: 730, ...more });
const deployment = (resources: object, replicas = 1) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: { replicas, template: { spec: { containers: [{ name: 'app', image: 'app:1', resources }] } } },
});
const requesting = (cpu: string, memory: string, replicas?: number) => [deployment({ requests: { cpu, memory } }, replicas)];
const claim = (storage: string) => [
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: { resources: { requests: { storage } } } },
];
const suspended = {
  ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'report' } },
  spec: { suspend: true, template: { spec: { containers: [{ name: 'app' }] } } },
};
const volume = {
  address: 'aws_ebs_volume.x',
  mode: 'managed',
  type: 'aws_ebs_volume',
  name: 'x',
  provider_name: 'p',
  values: { size: 100 },
};
const bill = (...rows: object[]) =>
  rows.map((row) => ({
    ...{
      ChargePeriodStart: '2026-05-01T00:00:00Z',
      ChargeCategory: 'Usage',
      ProviderName: 'AWS',
      RegionId: 'eu-west-1',
      ServiceName: 'EC2',
    },
    ...{ SubAccountId: '1', EffectiveCost: '1', BillingCurrency: 'USD', ConsumedQuantity: '1', ConsumedUnit: 'Hours' },
    ...{ SkuPriceDetails: '{"InstanceType":"m5.large"}', ...row },
  }));
const requests = { ConsumedUnit: 'Requests', SkuPriceDetails: '' };
const disk = (ConsumedUnit: string) => ({ ConsumedUnit, ConsumedQuantity: '1e30', SkuPriceDetails: '' });
const usage = [line()];

/** What is least, most, absent and contradictory. */
const BODIES: { readonly [what: string]: object } = {
  'without a functional unit': { ...PLACE, usage },
  'for a functional unit': { ...PLACE, usage, functional_unit: UNIT },
  'for the least of a functional unit': { ...PLACE, usage, functional_unit: LEAST_UNIT },
  'for the most of a functional unit': { ...PLACE, usage, functional_unit: { name: 'requests', count: Number.MAX_VALUE } },
  'of no hours': { ...PLACE, usage: [line({ hours: 0 })], functional_unit: UNIT },
  'of no instances': { ...PLACE, usage: [line({ count: 0 })], functional_unit: LEAST_UNIT },
  'of hardly any hours': { ...PLACE, usage: [line({ hours: 1e-315 })], functional_unit: UNIT },
  'of the fewest hours and instances': { ...PLACE, usage: [line({ hours: Number.MIN_VALUE, count: Number.MIN_VALUE })] },
  'of the most hours and instances': {
    ...{ ...PLACE, functional_unit: LEAST_UNIT },
    usage: Array.from({ length: 50 }, (_, at) => line({ id: `${at}`, instance_type: 'p4d.24xlarge', hours: 1e6, count: 1e7 })),
  },
  'of an unknown type': { ...PLACE, usage: [line({ instance_type: 'zz9' })], functional_unit: UNIT },
  'of several providers': {
    usage: [
      line(PLACE),
      line({ id: 'own', provider: 'on-prem' }),
      line({ id: 'google', provider: 'gcp', instance_type: 'n2-standard-4' }),
      line({ id: 'x' }),
    ],
  },
  'with every assumption at an end': {
    ...{ ...PLACE, usage },
    assumptions: {
      ...{ cpu_utilization: 0, gpu_utilization: 1, packing: 1, lifespan_years: 0.1, pue: 1, grid_g_per_kwh: 0, market_g_per_kwh: 0 },
      ...{ storage_replication: 20, job_minutes: Number.MIN_VALUE },
    },
  },
  'with assumptions that are null': { ...PLACE, usage, assumptions: { cpu_utilization: null, pue: null, market_g_per_kwh: null } },
  'without emissions': { ...PLACE, usage, method: { embodied: false }, assumptions: { grid_g_per_kwh: 0 }, functional_unit: UNIT },
  'of the margin of the grid': { ...PLACE, usage, method: { grid: 'marginal' }, assumptions: { grid_g_per_kwh: 700 } },
  'with the raw figures of power': { ...PLACE, usage, method: { power_model: 'ccf' } },
  'with a market-based figure': { provider: 'gcp', region: 'europe-west1', usage: [line({ instance_type: 'n2-standard-4' })] },
  'of an own data centre': { provider: 'on-prem', region: 'DE', manifests: requesting('1', '1Gi') },
  'without a region': { provider: 'on-prem', manifests: requesting('1', '1Gi') },
  'of a manifest without objects': { ...PLACE, manifests: '# nothing', functional_unit: UNIT },
  'of an object without members': { ...PLACE, manifests: [{}] },
  'of a Job that is suspended': { ...PLACE, manifests: [suspended] },
  'of no replicas, on nodes': { ...PLACE, manifests: requesting('1', '1Gi', 0), nodes: [{ instance_type: 'm5.large', count: 1 }] },
  'of the smallest pods on many nodes': {
    ...{ ...PLACE, manifests: requesting('1e-320', '1e-320') },
    nodes: [{ instance_type: 'm5.large', count: 100_000 }],
  },
  'of the largest pods': { ...PLACE, manifests: requesting('1e308', '1e308', 1_000_000), functional_unit: LEAST_UNIT },
  'of the largest disks': { ...PLACE, manifests: claim('1e308') },
  'of the most GPUs': {
    ...PLACE,
    manifests: [deployment({ limits: { 'nvidia.com/gpu': '1e307' } })],
    nodes: [{ instance_type: 'p4d.24xlarge', count: 1 }],
  },
  'of the shortest period': { ...PLACE, manifests: requesting('1', '1Gi'), period_hours: Number.MIN_VALUE },
  'of a plan of nothing': { ...PLACE, terraform: {} },
  'of a plan': { ...PLACE, terraform: { format_version: '1.2', planned_values: { root_module: { resources: [volume] } } } },
  'of a bill': { focus_rows: bill({}, requests, { ChargeCategory: 'Tax' }) },
  'of a bill of nothing': { focus_csv: 'ChargePeriodStart,EffectiveCost\n' },
  'of a bill that names nothing': {
    focus_rows: bill({ ProviderName: '', RegionId: '', ServiceName: '', SubAccountId: '', BillingCurrency: '' }),
  },
  'of a bill that cost nothing': { focus_rows: bill({ EffectiveCost: '0' }, { ...requests, EffectiveCost: '0' }), spend_based: true },
  'of a bill of credits': { focus_rows: bill({ EffectiveCost: '-5' }, { ...requests, EffectiveCost: '-5' }), spend_based: true },
  'of what money buys': { focus_rows: bill({}, requests), spend_based: true, functional_unit: UNIT },
  'of what the most money buys': {
    focus_rows: bill({ EffectiveCost: '1e-15' }, { ...requests, EffectiveCost: '1e15' }),
    spend_based: true,
  },
  'of a bill of corrections': { focus_rows: bill({ ConsumedQuantity: '-5' }) },
  'of a bill of the largest quantities': {
    focus_rows: bill(disk('999999999999999999999999999999999999999999999 PB-Mo'), disk('999999999999999 PB')),
  },
  'of a bill of the largest machines': {
    focus_rows: bill({ ConsumedQuantity: '1e30', SkuPriceDetails: '{"InstanceType":"z","CoreCount":1e300,"MemorySize":1e300}' }),
  },
  'of a move': { ...PLACE, usage, compare: { proposed: { usage, region: 'eu-north-1' } } },
  'of going': { ...PLACE, usage, functional_unit: LEAST_UNIT, compare: { proposed: { usage: [line({ hours: 0 })] } } },
  'of coming': { ...PLACE, usage: [line({ hours: 0 })], functional_unit: UNIT, compare: { proposed: { usage } } },
  'of no change of nothing': { ...PLACE, manifests: '---', compare: { proposed: { manifests: '---' } } },
};
const each = Object.entries(BODIES);

const CONTEXT = {} as RunContext; // they ask nothing of the program

/** As a client reads it. */
const answered = async (operation: 'estimate' | 'report', body: object): Promise<object> =>
  JSON.parse(JSON.stringify(await (operation === 'estimate' ? estimateCarbon : reportCarbon).run(body, undefined, CONTEXT)));

describe('an answer matches its schema: an estimate', () => {
  it.each(each)('%s, which a report can read again', async (_, body) => {
    expect(breachesOf.estimateRequest(body)).toEqual([]);
    const saved = await answered('estimate', body);
    expect(breachesOf.estimate(saved)).toEqual([]);
    const request = { estimate: saved, baseline: saved, target: { percent: 10 } };
    expect(breachesOf.reportRequest(request)).toEqual([]);
    expect(breachesOf.report(await answered('report', request))).toEqual([]);
  });
});

describe('an answer matches its schema: a report', () => {
  it.each(each)('%s, on either side of a change', async (_, { compare, ...body }: { compare?: object }) => {
    const other = { ...PLACE, usage };
    const period = { start: '2026-01-01', end: '2026-02-01' };
    const bodies = [
      { ...body, baseline: other, target: { percent: 100 }, period },
      { ...other, baseline: body, target: { kg_co2e: 0 } },
      {
        periods: [
          { ...period, estimate: body },
          { start: '2026-02-01', end: '2026-03-01', estimate: other },
        ],
      },
    ];
    for (const request of bodies) {
      expect(breachesOf.reportRequest(request)).toEqual([]);
      expect(breachesOf.report(await answered('report', request))).toEqual([]);
    }
  });

  it.each(['csv', 'html', 'impact-framework'])('in the format %s', async (format) => {
    const plain = each.filter(([, body]) => !('compare' in body)).map(([, body]) => ({ ...body, format }));
    for (const request of plain.slice(0, 10)) expect(breachesOf.rendered(await answered('report', request))).toEqual([]);
  });
});

describe('through every interface', () => {
  const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));
  let server: RunningServer;
  let folder: string;

  beforeAll(async () => {
    const router = createRouter();
    for (const endpoint of [estimateCarbon, reportCarbon]) router.add(endpointRoute(endpoint, SERVICES));
    const log = createLog({ to: new Writable({ write: (_chunk, _encoding, done) => done() }) });
    server = await serveHttp({ router, host: '127.0.0.1', port: 0, log, problemsUrl: 'https://problems.test', keys: [] });
    folder = await mkdtemp(join(tmpdir(), 'bylaw-answers-'));
  });

  afterAll(() => server.close());

  const command = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await promisify(execFile)(process.execPath, [RUN, 'carbon', ...args, '--json'], { cwd: folder })).stdout);
  const post = async (path: string, body: object): Promise<unknown> =>
    (
      await fetch(`${server.url}/api/v1/carbon/${path}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify(body),
      })
    ).json();
  const call = async (endpoint: Endpoint, args: object): Promise<unknown> =>
    JSON.parse((await endpointTool(endpoint, SERVICES)?.answer({ ...args }, new AbortController().signal)) ?? '');

  it.each([
    ['of nothing that was used', { ...PLACE, usage: [line({ hours: 0 })] }, ['--functional-unit', 'requests=1e-9']],
    ['of one instance', { ...PLACE, usage }, []],
  ])('an estimate %s, and its report', async (_, { usage: lines, ...body }, flags) => {
    await writeFile(join(folder, 'usage.json'), JSON.stringify(lines));
    const saved = await command('estimate', '--provider', 'aws', '--region', 'eu-west-1', '--usage', 'usage.json', ...flags);
    await writeFile(join(folder, 'saved.json'), JSON.stringify(saved));
    const unit = flags.length > 0 ? { functional_unit: LEAST_UNIT } : {};
    const estimates = [
      saved,
      await post('estimate', { ...body, usage: lines, ...unit }),
      await call(estimateCarbon, { ...body, usage: lines, ...unit }),
    ];
    for (const answer of estimates) expect(breachesOf.estimate(answer)).toEqual([]);
    const request = { estimate: saved };
    const reports = [await command('report', '--estimate', 'saved.json'), await post('report', request), await call(reportCarbon, request)];
    for (const answer of reports) expect(breachesOf.report(answer)).toEqual([]);
  });
});
