import { describe, expect, it } from 'vitest';
import { proposal } from './testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers } from './testing/gate-server.test-support.js';

const start = gateServers();
let count = 0;
const submit = (server: GateServer, principal = 'alice', adapter = 'ci') =>
  server.submit(proposal(`p-${count++}`, { principal: { id: principal } }), { adapter });

async function admitted(server: GateServer, requests: number, principal?: string, adapter?: string): Promise<number> {
  let passed = 0;
  for (let request = 0; request < requests; request++) if ((await submit(server, principal, adapter)).status === 200) passed++;
  return passed;
}

describe('the limit per adapter', () => {
  it('lets a burst of three seconds pass, and then the rate, each adapter for itself (gate/limits.2) (gate/limits.5) (gate/config.2)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 2, per_principal_rps: 0}}' });
    expect(await admitted(server, 8)).toBe(6);
    expect(await admitted(server, 1, 'alice', 'tool')).toBe(1);
    server.advance(500);
    expect(await admitted(server, 2)).toBe(1);
    server.advance(60_000);
    expect(await admitted(server, 8)).toBe(6);
  });

  it('answers 429 with the limit, its rate and the adapter (gate/post.429) (gate/errors.4)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0.2}}' });
    await submit(server);
    const answer = await submit(server);
    expect(expectProblem(answer, 429, 'AG-LIM-001')).toEqual({
      type: 'https://svc.invalid/problems/rate-limited',
      title: 'Rate limit exceeded',
      status: 429,
      code: 'AG-LIM-001',
      detail: 'Adapter ci exceeded the per-adapter limit of 0.2 requests per second.',
      scope: 'adapter',
      retry_after_seconds: 5,
      instance: expect.any(String),
    });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it('is spent before the body is read for what it says (gate/limits.5)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0.1}}' });
    expectProblem(await server.submit({}), 422, 'AG-SCH-002');
    expectProblem(await server.submit({}), 429, 'AG-LIM-001');
  });

  it('is off at 0 (gate/limits.1) (gate/config.2) (gate/config.3)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });
    expect(await admitted(server, 400)).toBe(400);
  });

  it('does not hold for reading', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0.1}}' });
    for (let request = 0; request < 5; request++) expect((await server.send('GET', '/v1/status')).status).toBe(200);
  });
});

describe('the limit per principal', () => {
  it('counts each principal for itself, across adapters, below the limit per adapter (gate/limits.5) (gate/config.3)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_principal_rps: 1}}' });
    expect(await admitted(server, 5)).toBe(3);
    expect(await admitted(server, 1, 'alice', 'tool')).toBe(0);
    expect(await admitted(server, 4, 'bob')).toBe(3);
  });

  it('answers 429 with its scope, and names the adapter and not the principal, which is input (gate/post.429)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_principal_rps: 0.5}}' });
    await submit(server, 'alice-canary');
    await submit(server, 'alice-canary');
    const answer = await submit(server, 'alice-canary');
    expect(expectProblem(answer, 429, 'AG-LIM-002')).toMatchObject({
      type: 'https://svc.invalid/problems/rate-limited',
      scope: 'principal',
      retry_after_seconds: 1,
      detail: 'Adapter ci exceeded the per-principal limit of 0.5 requests per second.',
    });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.text).not.toContain('alice-canary');
  });

  it('is not spent by what does not fit the schema', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_principal_rps: 0.1}}' });
    for (let request = 0; request < 3; request++) expectProblem(await server.submit({ principal: { id: 'alice' } }), 422, 'AG-SCH-002');
    expect(await admitted(server, 1)).toBe(1);
  });
});

describe('a request that a limit refuses', () => {
  it('writes nothing and uses up no id: the same id may come again (gate/limits.4) (gate/state.3) (gate/events.4)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_principal_rps: 0.1}}' });
    await submit(server);
    const before = await server.records();
    expectProblem(await server.submit(proposal('again')), 429, 'AG-LIM-002');
    expect(await server.records()).toEqual(before);
    server.advance(10_000);
    expect((await server.submit(proposal('again'))).status).toBe(200);
  });
});

describe('two processes', () => {
  it('count each for itself (gate/limits.3)', async () => {
    const yaml = 'api: {rate_limit: {per_adapter_rps: 1}}';
    const [first, second] = await Promise.all([start({ yaml }), start({ yaml })]);
    expect((await admitted(first, 5)) + (await admitted(second, 5))).toBe(6);
    const { rate_limit } = JSON.parse((await first.send('GET', '/v1/status')).text);
    expect(rate_limit).toEqual({
      per_adapter_rps: 1,
      per_principal_rps: 20,
      burst_seconds: 3,
      scope: 'Limits are per process: with N replicas the total admitted is N times the setting.',
    });
  });
});
