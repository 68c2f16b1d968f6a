import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@bylaw/core/clock';
import type { Services } from '@bylaw/core/endpoint';
import { endpointRoute, endpointTool } from '@bylaw/core/endpoint/host';
import { createRouter, type RunningServer, requestCheck, serveHttp } from '@bylaw/core/http';
import { createLog } from '@bylaw/core/log';
import { operationThreads } from '@bylaw/core/operation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimate } from '../estimate/index.js';
import { reportCarbon } from './endpoints.js';
import { RENDERED_ANSWER, REPORT_ANSWER } from './report-answer.js';
import { REPORT_BODY_SCHEMA } from './report-schema.js';

const SERVICES = { threads: operationThreads(), clock: systemClock } as Services; // nothing else is asked of them
const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

const USAGE = [
  { id: 'web', instance_type: 'm5.xlarge', hours: 744, count: 3 },
  { id: 'jobs-staging', instance_type: 'c5.large', hours: 744, region: 'us-east-1' },
];
const PLACE = { provider: 'aws', region: 'eu-central-1' } as const;
const PERIOD = { start: '2026-01-01', end: '2026-02-01' };
const ALL = { ...PLACE, usage: USAGE, period: PERIOD, group_by: ['region', 'instance_type'], target: { percent: 10 }, title: 'January' };

let server: RunningServer;
let folder: string;
let baseline: object;

/** Requests that the server has answered. */
let asked = 0;

beforeAll(async () => {
  const router = createRouter();
  router.add({ ...endpointRoute(reportCarbon, SERVICES), observe: () => (asked += 1) });
  const log = createLog({ to: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  server = await serveHttp({ router, host: '127.0.0.1', port: 0, log, problemsUrl: 'https://problems.test', keys: [] });
  folder = await mkdtemp(join(tmpdir(), 'bylaw-report-'));
  baseline = JSON.parse(JSON.stringify(await estimate({ ...PLACE, usage: USAGE.slice(0, 1), period_hours: 744 }))) as object; // an object
  await writeFile(join(folder, 'usage.json'), JSON.stringify(USAGE));
  await writeFile(join(folder, 'baseline.json'), JSON.stringify(baseline));
});

afterAll(() => server.close());

function post(body: unknown, accept?: string): Promise<Response> {
  return fetch(`${server.url}/api/v1/carbon/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
    body: JSON.stringify(body),
  });
}

const call = async (args: object): Promise<unknown> =>
  JSON.parse((await endpointTool(reportCarbon, SERVICES)?.answer({ ...args }, new AbortController().signal)) ?? '');

function policyOf({ headers }: Response): { [directive: string]: string } {
  const directives = (headers.get('content-security-policy') ?? '').split('; ');
  return Object.fromEntries(directives.map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]));
}

const FLAGS = [
  ...['--provider', 'aws', '--region', 'eu-central-1', '--usage', 'usage.json', '--period', '2026-01-01/2026-02-01'],
  ...['--group-by', 'region,instance_type', '--target', '10%', '--title', 'January', '--baseline', 'baseline.json'],
];

/** The target of these is not met. */
async function command(...more: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [RUN, 'carbon', 'report', ...FLAGS, ...more], { cwd: folder });
  const failed = await run.then(
    () => undefined,
    (error: { stdout: string; code: number }) => error,
  );
  expect(failed?.code).toBe(1);
  return failed?.stdout ?? '';
}

describe('one report, through every interface', () => {
  it('is the same by command, REST and tool, field by field', async () => {
    const body = { ...ALL, baseline };
    const rest: unknown = await (await post(body)).json();
    expect(requestCheck(REPORT_ANSWER)(rest)).toEqual([]);
    expect(await call(body)).toEqual(rest);
    // The command tells the defaults of an estimate, which a body may leave out: the answer holds all of them either way.
    expect(JSON.parse(await command('--json'))).toEqual(rest);
  });

  it('is the same in other formats: within JSON, bare, and by the command', async () => {
    const body = { ...ALL, baseline, format: 'html' };
    const within = (await (await post(body)).json()) as { content_type: string; content: string; sha256: string }; // checked next
    expect(requestCheck(RENDERED_ANSWER)(within)).toEqual([]);
    expect(within.sha256).toBe(createHash('sha256').update(within.content).digest('hex'));
    const bare = await post({ ...ALL, baseline }, 'text/html, application/json;q=0.5');
    expect(bare.headers.get('content-type')).toBe(within.content_type);
    expect(await bare.text()).toBe(within.content);
    expect(await call(body)).toEqual(within);
    expect(await command('--format', 'html')).toBe(within.content);
  });

  it('says in every format whether the target is met, so that a command asks once', async () => {
    const before = asked;
    expect(await command('--format', 'html', '--remote', server.url)).toMatch(/^<!DOCTYPE html>/);
    expect(asked - before).toBe(1);
    const json = (await (await post({ ...ALL, baseline })).json()) as { target: object }; // held to its schema above
    expect(await (await post({ ...ALL, baseline, format: 'csv' })).json()).toHaveProperty('target', json.target);
  });

  it('may use its own style where a browser shows it, and nothing else', async () => {
    const answer = await post({ ...ALL, baseline }, 'text/html');
    const { 'style-src': style, 'default-src': others, 'form-action': forms } = policyOf(answer);
    expect([style, others, forms]).toEqual(["'unsafe-inline'", "'none'", "'none'"]);
    // Both policies hold, so no style but that of this digest is used.
    const [, own = ''] = /<style>([\s\S]*)<\/style>/.exec(await answer.clone().text()) ?? [];
    const digest = createHash('sha256').update(own).digest('base64');
    expect(await answer.text()).toContain(`style-src 'sha256-${digest}'`);
  });

  it('is CSV to a client that takes nothing else', async () => {
    const answer = await post({ ...ALL, baseline }, 'text/csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await answer.text()).toMatch(/^period_start,/);
  });

  it('is a manifest of the Impact Framework to a client that takes YAML', async () => {
    const answer = await post({ ...PLACE, usage: USAGE }, 'application/yaml');
    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(await answer.text()).toContain('tree:');
  });
});

describe('a body that cannot be answered', () => {
  it.each([
    ['a member that is not known', { ...ALL, regoin: 'secret' }],
    ['nothing to report', { ...PLACE }],
    ['a dimension that is not known', { ...ALL, group_by: ['secret'] }],
    ['a comparison in place of a baseline', { ...ALL, compare: { proposed: { usage: USAGE } } }],
    ['a saved answer of another form', { estimate: { schema: 'secret/v2' } }],
    ['a baseline of nothing', { ...ALL, baseline: { region: 'secret' } }],
    ['two targets', { ...ALL, target: { kg_co2e: 1, percent: 1 } }],
  ])('with %s does not pass the schema, which quotes nothing', (_, body) => {
    const breaches = requestCheck(REPORT_BODY_SCHEMA)(body);
    expect(breaches).not.toEqual([]);
    expect(JSON.stringify(breaches)).not.toMatch(/regoin|secret/);
  });

  it.each([
    ['schema', { ...ALL, secret: 1 }],
    ['baseline-missing', ALL],
  ])('is a problem of the status 422: %s', async (slug, body) => {
    const answer = await post(body);
    const text = await answer.text();
    expect([answer.status, (JSON.parse(text) as { type: string }).type]).toEqual([422, `https://problems.test/${slug}`]); // a problem document
    expect(text).not.toContain('secret');
  });

  it('is a problem to a client that would rather have a page, too', async () => {
    const answer = await post(ALL, 'text/html, application/json;q=0.1');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  });

  it('for a client that takes none of its forms is the status 406', async () => {
    expect((await post(ALL, 'image/png')).status).toBe(406);
  });
});
