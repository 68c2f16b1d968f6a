import type { Worker } from 'node:worker_threads';
import { operationThreads } from '@bylaw/core/operation';
import type { InstalledPlugin, Plugin } from '@bylaw/core/plugin';
import type { ThreadPoolOptions } from '@bylaw/core/thread';
import carbon from '@bylaw/plugin-carbon';
import finops from '@bylaw/plugin-finops';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented, type OpenApi } from '../packages/cli/src/server/documented.test-support.js';
import { type TestServices, testServices } from '../packages/cli/src/server/services.test-support.js';
import { startServer } from '../packages/cli/src/server/start-server.js';

const CARBON = { provider: 'aws', region: 'eu-west-1', usage: [{ id: 'web', instance_type: 'm5.large', hours: 730 }] };
const SERIES = [{ id: 'a', granularity: 'day', start: '2026-01-01', values: Array.from({ length: 90 }, (_, day) => 100 + (day % 7)) }];

/** One route of each group that answers on shared threads. */
const ROUTES: readonly { method: string; target: string; body?: object }[] = [
  { method: 'GET', target: '/api/v1/scores/trend?project=shop' },
  { method: 'POST', target: '/api/v1/finops/forecast', body: { series: SERIES } },
  { method: 'POST', target: '/api/v1/carbon/report', body: CARBON },
];

const installed = (plugin: Plugin): InstalledPlugin => ({
  plugin,
  packageName: `@bylaw/plugin-${plugin.name}`,
  version: '1.0.0',
  root: '.',
});

let fixture: TestServices;

beforeAll(async () => {
  fixture = await testServices();
});

afterAll(() => fixture.remove());

/** A server with such threads. */
async function serverWith(limits: Partial<ThreadPoolOptions>) {
  const plugins = [finops, carbon].map(installed);
  const threads = operationThreads(limits);
  const { url, close } = await startServer({ services: { ...fixture.services, threads }, plugins, version: '1.2.3', port: 0, threads: 1 });
  onTestFinished(close);
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const ask = async ({ method, target, body }: (typeof ROUTES)[number], signal?: AbortSignal) => {
    const response = await fetch(url + target, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    expectDocumented(document, method, target.replace(/\?.*/, ''), { status: response.status, type, body: text });
    return { status: response.status, code: JSON.parse(text).code, retryAfter: response.headers.get('retry-after') };
  };
  return { ask };
}

/** Called with the next thread that this process starts, when it runs. */
function onNextThread(listener: (worker: Worker) => void): void {
  const onWorker = (worker: Worker) => worker.once('online', () => listener(worker));
  process.once('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
}

describe.each(ROUTES)('$method $target', (route) => {
  it('answers 503 with Retry-After if too many requests wait', async () => {
    const { ask } = await serverWith({ size: 1, maxWaiting: 1 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(route)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    for (const answer of answers) if (answer.status === 503) expect(answer).toMatchObject({ code: 'overloaded', retryAfter: '1' });
    expect((await ask(route)).status).toBe(200);
  });

  it('answers 503 with Retry-After at the deadline, and ends the thread', async () => {
    const { ask } = await serverWith({ size: 1, deadlineMs: 1 });
    const ended = Promise.withResolvers<void>();
    onNextThread((worker) => worker.once('exit', () => ended.resolve()));
    expect(await ask(route)).toEqual({ status: 503, code: 'evaluation-timeout', retryAfter: '10' });
    await ended.promise;
  });

  it('gives the thread of a client that goes to the next one', async () => {
    const { ask } = await serverWith({ size: 1 });
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    onNextThread((worker) => {
      worker.once('exit', () => ended.resolve());
      abort.abort(new Error('gone'));
    });
    const left = ask(route, abort.signal).catch((error: unknown) => error);
    expect(await left).toMatchObject({ message: 'gone' });
    await ended.promise;
    expect((await ask(route)).status).toBe(200);
  });

  it('loses one request with a thread that dies', async () => {
    const { ask } = await serverWith({ size: 1 });
    onNextThread((worker) => void worker.terminate());
    const answers = await Promise.all([ask(route), ask(route), ask(route)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 500]);
  });
});
