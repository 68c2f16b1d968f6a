import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { apiKeyDigest } from '@bylaw/core/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateAuthority } from '../cluster/testing/authority.test-support.js';
import { CONTAINER, podOf } from './review/review.test-support.js';
import { type Answer, reviewOf, startWebhookServer, testServices, type WebhookServer, webhookServer } from './webhook.test-support.js';

const REVIEW = JSON.stringify(reviewOf(podOf([CONTAINER])));
const one = 'webhook: {threads: 1, ';

describe('with bearer tokens', () => {
  const tokens = ['old', 'new'].map((token) => `{id: ${token}, sha256: ${apiKeyDigest(`token-${token}`)}}`).join(', ');

  it('takes each of them, and an API key, and tells a stranger what it wants', async () => {
    const { post, lines } = await webhookServer(`api: {keys: [{id: ci, sha256: ${apiKeyDigest('k3y')}}]}\n${one}tokens: [${tokens}]}\n`);
    const ask = async (headers: { [name: string]: string }) => (await post(REVIEW, { headers })).status;
    expect(await ask({ authorization: 'Bearer token-old' })).toBe(200);
    expect(await ask({ authorization: 'bearer  token-new' })).toBe(200);
    expect(await ask({ 'x-api-key': 'k3y' })).toBe(200);
    for (const authorization of ['Bearer token-other', 'token-new', 'Basic token-new', 'Bearer ', ''])
      expect(await ask({ authorization })).toBe(401);
    const { json } = await post(REVIEW);
    expect(json).toMatchObject({ code: 'unauthenticated', detail: expect.stringMatching(/client certificate or a bearer token/) });
    expect(lines.join('')).not.toMatch(/token-new|token-old/);
    expect(lines.filter((line) => /"key":"(old|new|ci)"/.test(line))).toHaveLength(3);
  });

  it('asks for one although no API key is configured', async () => {
    const { post } = await webhookServer(`${one}tokens: [${tokens}]}\n`);
    expect((await post(REVIEW)).status).toBe(401);
    expect((await post(REVIEW, { headers: { authorization: 'Bearer token-old' } })).status).toBe(200);
  });
});

describe('with client certificates', () => {
  const authority = certificateAuthority('front');
  const serving = certificateAuthority('serving');
  const client = authority.issue({ commonName: 'kube-apiserver' });
  let server: WebhookServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const tls = { ...serving.issue({ commonName: 'webhook', addresses: ['127.0.0.1'] }), clientCa: authority.cert };
    const yaml = `api: {client_ca: ca.crt}\n${one}client_names: [kube-apiserver, front]}\n`;
    ({ server, stop } = await startWebhookServer(yaml, { tls }));
  });
  afterAll(() => stop());

  async function post(certificate: { cert?: string; key?: string } = {}): Promise<{ status: number | undefined; json: Answer }> {
    const sent = request(`${server.url}/api/v1/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ca: serving.cert,
      agent: false,
      ...certificate,
    });
    sent.end(REVIEW);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, json: JSON.parse(await text(answer)) as Answer };
  }

  it('takes one of the authority with a known name', async () => {
    expect(await post(client)).toMatchObject({ status: 200, json: { response: { allowed: true } } });
    // The line of the request is written when its answer has gone.
    await expect.poll(() => server.lines.join('')).toContain('"key":"kube-apiserver"');
  });

  it.each([
    ['with another name', authority.issue({ commonName: 'system:node:a' })],
    ['with the name as an organization', authority.issue({ commonName: 'x', organizations: ['kube-apiserver'] })],
    ['of another authority', certificateAuthority('front').issue({ commonName: 'kube-apiserver' })],
    ['that has ended', authority.issue({ commonName: 'kube-apiserver', until: new Date('2021-01-01T00:00:00Z') })],
    ['at all', {}],
  ])('takes none %s', async (_what, certificate) => {
    expect(await post(certificate)).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });
});

describe('a configuration', () => {
  const breach = (yaml: string) => testServices(yaml);

  it('with names but without authorities is refused', async () => {
    await expect(breach('webhook: {client_names: [a]}\n')).rejects.toThrow('`webhook.client_names` requires `api.client_ca`');
  });

  it('with a token twice is refused', async () => {
    const token = (id: string, key: string) => `{id: ${id}, sha256: ${apiKeyDigest(key)}}`;
    await expect(breach(`webhook: {tokens: [${token('a', 'x')}, ${token('a', 'y')}]}\n`)).rejects.toThrow('the same `id`');
    await expect(breach(`webhook: {tokens: [${token('a', 'x')}, ${token('b', 'x')}]}\n`)).rejects.toThrow('the same `sha256`');
  });

  it.each([
    ['deny_on: SEVERE', 'deny_on'],
    ['modes: [{namespaces: [], mode: warn}]', 'namespaces'],
    ['modes: [{namespaces: [A_b], mode: warn}]', 'namespaces'],
    ['deadline_ms: 60000', 'deadline_ms'],
    ['threads: 0', 'threads'],
    ['tokens: [{id: a, sha256: secret}]', 'sha256'],
    ['dney_on: HIGH', 'deny_on'],
  ])('with `%s` is refused', async (line, what) => {
    await expect(breach(`webhook: {${line}}\n`)).rejects.toThrow(what);
  });
});
