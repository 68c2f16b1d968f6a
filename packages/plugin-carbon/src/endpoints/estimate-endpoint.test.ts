import { execFile, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import type { Services } from '@bylaw/core/endpoint';
import { endpointRoute, endpointTool } from '@bylaw/core/endpoint/host';
import { HttpProblem, problemDocument, requestCheck } from '@bylaw/core/http';
import { operationThreads } from '@bylaw/core/operation';
import { describe, expect, it } from 'vitest';
import { estimateCarbon } from './endpoints.js';
import { ESTIMATE_ANSWER } from './estimate-answer.js';

const SERVICES = { threads: operationThreads(), clock: systemClock } as Services; // nothing else is asked of them
const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

const MANIFESTS = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout', namespace: 'shop', labels: { team: 'pay' } },
    spec: {
      replicas: 3,
      template: { spec: { containers: [{ name: 'app', image: 'shop:1', resources: { requests: { cpu: '500m', memory: '1Gi' } } }] } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop' },
    spec: { resources: { requests: { storage: '20Gi' } } },
  },
];
const REQUEST = { manifests: MANIFESTS, provider: 'aws', region: 'eu-west-1', functional_unit: { name: 'requests', count: 8.1e8 } };
const signal = new AbortController().signal;

async function post(body: unknown): Promise<unknown> {
  const { handler } = endpointRoute(estimateCarbon, SERVICES);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  // The handler reads no more of a request.
  const response = await handler({ method: 'POST', headers: {}, body: bytes, signal } as unknown as Parameters<typeof handler>[0]);
  return JSON.parse(Buffer.from(response.body as Uint8Array).toString('utf8')); // what the thread wrote
}

const call = async (args: object): Promise<unknown> =>
  JSON.parse((await endpointTool(estimateCarbon, SERVICES)?.answer({ ...args }, signal)) ?? '');

describe('one estimate, through every interface', () => {
  it('is the same by command, REST and tool, field by field', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bylaw-carbon-'));
    const file = join(folder, 'shop.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: MANIFESTS }));
    const rest = await post(REQUEST);
    const tool = await call(REQUEST);
    const args = [
      'carbon',
      'estimate',
      file,
      '--provider',
      'aws',
      '--region',
      'eu-west-1',
      '--functional-unit',
      'requests=8.1e8',
      '--json',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args], { cwd: folder });
    expect(tool).toEqual(rest);
    expect(JSON.parse(stdout)).toEqual(rest);
    expect(requestCheck(ESTIMATE_ANSWER)(rest)).toEqual([]);
  });

  it('is the same of a bill, from standard input or in a request', async () => {
    const focus_csv = [
      'ChargePeriodStart,ChargeCategory,ProviderName,RegionId,ServiceName,SubAccountId,EffectiveCost,BillingCurrency,ConsumedQuantity,ConsumedUnit,SkuPriceDetails,Tags',
      '2026-05-01,Usage,AWS,eu-west-1,Amazon EC2,1,140,USD,744,Hours,"{""InstanceType"":""m5.xlarge""}","{""team"":""a""}"',
      '2026-05-01,Usage,AWS,eu-west-1,Amazon SQS,1,12,USD,1000000,Requests,,',
    ].join('\n');
    const rest = await post({ focus_csv, spend_based: true });
    expect(await call({ focus_csv, spend_based: true })).toEqual(rest);
    const run = spawn(process.execPath, [RUN, 'carbon', 'estimate', '--focus', '-', '--spend-based', '--json']);
    run.stdin.end(focus_csv);
    expect(JSON.parse(await text(run.stdout))).toEqual(rest);
    expect(requestCheck(ESTIMATE_ANSWER)(rest)).toEqual([]);
    expect(rest).toMatchObject({ unestimated: [], items: [{ groups: { 'tag:team': 'a' } }, { energy_kwh: { cpu: 0 } }] });
  });

  it('does not depend on how the manifests are written', async () => {
    const text = MANIFESTS.map((manifest) => JSON.stringify(manifest)).join('\n---\n');
    expect(await post({ ...REQUEST, manifests: text })).toEqual(await post(REQUEST));
    expect(await post({ ...REQUEST, manifests: MANIFESTS.toReversed() })).toEqual(await post(REQUEST));
  });
});

describe('a body that cannot be answered', () => {
  it.each([
    ['a member that is not known', { ...REQUEST, regoin: 'x' }, 'schema'],
    ['no input', { provider: 'aws' }, 'schema'],
    ['a functional unit of nothing', { ...REQUEST, functional_unit: { name: 'requests', count: 0 } }, 'schema'],
    ['no provider', { manifests: MANIFESTS }, 'provider-missing'],
    ['an unknown region of a strict estimate', { ...REQUEST, region: 'atlantis-1', strict: true }, 'unknown-region'],
    ['upstream energy', { ...REQUEST, method: { upstream_energy: true } }, 'upstream-energy-included'],
    ['a bill of no form', { focus_csv: 'regoin,atlantis\n1,2\n' }, 'cost-columns-missing'],
    ['a bill with a row that is broken', { focus_csv: 'ChargePeriodStart,EffectiveCost\natlantis,1\n' }, 'cost-row-invalid'],
    ['a marginal estimate without its factor', { ...REQUEST, method: { grid: 'marginal' } }, 'marginal-grid-missing'],
  ])('with %s is a problem of the status 422 that quotes nothing', async (_, body, slug) => {
    const error = await post(body).catch((thrown: unknown) => thrown);
    if (!(error instanceof HttpProblem)) throw new Error('no problem was answered');
    const document = problemDocument(error, 'https://problems', '00000000-0000-4000-8000-000000000000');
    expect(document).toMatchObject({ status: 422, type: `https://problems/${slug}` });
    expect(JSON.stringify(document)).not.toMatch(/regoin|atlantis/);
  });
});
