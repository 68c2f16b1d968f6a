import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ThreadKind } from '@bylaw/core/endpoint';
import { apiKeyDigest, type HttpLimits } from '@bylaw/core/http';
import type { InstalledPlugin } from '@bylaw/core/plugin';
import { SMALL } from '@bylaw/core/thread';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented, type OpenApi } from './documented.test-support.js';
import { endlessMember, testServices } from './services.test-support.js';
import { startServer } from './start-server.js';

interface Setting {
  threads?: number;
  poolLimits?: ThreadKind['limits'];
  limits?: Partial<HttpLimits>;
}

/** A server in which comparisons never end, with the keys `a` and `b`. */
async function serverWith({ threads = 2, poolLimits = {}, limits = {} }: Setting) {
  const keys = ['a', 'b'].map((id) => `{ id: ${id}, sha256: ${apiKeyDigest(id)} }`);
  const { services, folder, lines, remove } = await testServices(`api: { keys: [${keys.join(', ')}] }\n`);
  onTestFinished(remove);
  const module = join(folder, 'plugin', 'endless.mjs');
  await mkdir(join(folder, 'plugin'));
  await writeFile(module, 'export default () => () => { for (;;); };');
  const plugin = { name: 'endless', compare: endlessMember(pathToFileURL(module)) };
  const plugins: InstalledPlugin[] = [{ plugin, packageName: 'bylaw-plugin-endless', version: '1.0.0', root: '.' }];
  const server = await startServer({ services, plugins, version: '1.2.3', port: 0, threads, poolLimits, limits });
  onTestFinished(() => server.close());
  const { url } = server;
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const post = async (operation: 'evaluate' | 'validate', body: object, key: string, signal?: AbortSignal) => {
    const response = await fetch(`${url}/api/v1/${operation}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      ...(signal && { signal }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    if (text.length < 1_000_000) expectDocumented(document, 'POST', `/api/v1/${operation}`, { status: response.status, type, body: text });
    return { status: response.status, headers: response.headers, json: JSON.parse(text) };
  };
  const evaluate = (body: object, key = 'b') => post('evaluate', body, key);
  const compareForever = (key: string, signal: AbortSignal, filling = '') =>
    post('validate', { current: { content: filling }, proposed: { manifests: [] } }, key, signal);
  return { url, lines, evaluate, compareForever };
}

const pods = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${index}` },
    spec: { containers: [{ name: 'c', image: 'nginx', securityContext: { privileged: index === count - 1 } }] },
  }));

const COMMENT = `#${' '.repeat(64 * 1024)}`;

describe('the limit of an answer', () => {
  it('leaves the most severe findings and complete counts, and says what is left out', async () => {
    const { evaluate } = await serverWith({ threads: 1 });
    const { status, json } = await evaluate({ manifests: pods(3), limit: 2 });
    expect(status).toBe(200);
    expect(json.findings.map(({ rule_id, resource }: never) => [rule_id, resource['name']])).toEqual([
      ['SP-001', 'pod-0'],
      ['CS-001', 'pod-2'],
    ]);
    expect(json.summary).toMatchObject({ findings: 4, by_severity: { CRITICAL: 1, LOW: 3 } });
    expect(json.truncated).toEqual({ findings: { shown: 2, total: 4 } });
    const complete = await evaluate({ manifests: pods(3), limit: 4 });
    expect(complete.json).not.toHaveProperty('truncated');
    expect(complete.json).toMatchObject({ score: json.score, summary: json.summary });
  });

  it('is 10,000 unless the request says otherwise, and none if it says 0', async () => {
    const { evaluate } = await serverWith({ threads: 1 });
    const manifests = pods(60_000);
    const first = await evaluate({ manifests });
    expect([first.json.findings.length, first.json.truncated]).toEqual([10_000, { findings: { shown: 10_000, total: 60_001 } }]);
    const all = await evaluate({ manifests, limit: 0 });
    expect([all.json.findings.length, all.json.truncated]).toEqual([60_001, undefined]);
    expect(all.json.summary).toEqual(first.json.summary);
    expect(all.headers.get('content-length')).toBeNull(); // it came in chunks
  });

  it('limits each list of a comparison', async () => {
    const { services, remove } = await testServices();
    onTestFinished(remove);
    const server = await startServer({ services, plugins: [], version: '1.2.3', port: 0, threads: 1 });
    onTestFinished(() => server.close());
    const body = JSON.stringify({ current: { manifests: [] }, proposed: { manifests: pods(3) }, limit: 1 });
    const response = await fetch(`${server.url}/api/v1/validate`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    const text = await response.text();
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
    expectDocumented(document, 'POST', '/api/v1/validate', { status: 200, type: 'application/json', body: text });
    expect(JSON.parse(text)).toMatchObject({
      verdict: 'regressed',
      introduced: [{ rule_id: 'CS-001' }],
      changes: [{ change: 'added' }],
      truncated: { introduced: { shown: 1, total: 4 }, changes: { shown: 1, total: 3 } },
    });
  });
});

describe('a client that takes more than its share', () => {
  it('leaves a thread to others, and to its own small requests', async () => {
    const { evaluate, compareForever } = await serverWith({});
    const abort = new AbortController();
    const endless = Promise.allSettled(Array.from({ length: 4 }, () => compareForever('a', abort.signal, COMMENT)));
    expect((await evaluate({ manifests: pods(1) }, 'b')).status).toBe(200);
    expect((await evaluate({ manifests: pods(1) }, 'a')).status).toBe(200);
    abort.abort();
    await endless;
  });

  it('is answered 503 with Retry-After when it fills its half of the queue, and others are not', async () => {
    const { evaluate, compareForever } = await serverWith({ threads: 3 });
    const abort = new AbortController();
    // Two run, 32 wait.
    const endless = Array.from({ length: 34 }, () => compareForever('a', abort.signal, COMMENT).catch(String));
    const refused = await Promise.race([...endless, compareForever('a', abort.signal, COMMENT)]);
    expect(refused).toMatchObject({ status: 503, json: { code: 'overloaded' } });
    expect(typeof refused === 'string' || refused.headers.get('retry-after')).toBe('1');
    expect((await evaluate({ manifests: pods(1), exclude_rules: [], namespace: 'n' }, 'b')).status).toBe(200);
    abort.abort();
    await Promise.all(endless);
  });

  it('does not hold a thread by not reading a long answer', async () => {
    const { url, lines, evaluate } = await serverWith({ threads: 1, limits: { stallMs: 200 } });
    const body = JSON.stringify({ manifests: pods(60_000), limit: 0 });
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /api/v1/evaluate HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'data');
    socket.pause();
    expect((await evaluate({ manifests: pods(1) }, 'b')).status).toBe(200);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('a request that takes too much', () => {
  it('of memory is answered 413, and no other is disturbed', async () => {
    const { evaluate } = await serverWith({ poolLimits: { heapMb: 64 } });
    const manifests = pods(60_000).map((pod) => ({ ...pod, status: Array.from({ length: 20 }, () => ({})) }));
    const [large, ...others] = await Promise.all([
      evaluate({ manifests }, 'a'),
      ...Array.from({ length: 5 }, () => evaluate({ manifests: pods(1) }, 'b')),
    ]);
    expect(large).toMatchObject({ status: 413, json: { code: 'evaluation-memory' } });
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await evaluate({ manifests: pods(1) }, 'a')).status).toBe(200);
  });

  it('of time is answered 503 with Retry-After', async () => {
    const { compareForever } = await serverWith({ poolLimits: { small: { ...SMALL, ms: 1 }, deadlineMs: 100 } });
    const answer = await compareForever('a', new AbortController().signal);
    expect(answer).toMatchObject({ status: 503, json: { code: 'evaluation-timeout' } });
    expect(answer.headers.get('retry-after')).toBe('10');
  });
});
