import { requestCheck } from '@bylaw/core/request-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CONTAINER, PRIVILEGED, podOf } from './review/review.test-support.js';
import { REVIEW_ANSWER } from './review/review-schema.js';
import { REVIEW_PROGRAM } from './review-job.js';
import { createWebhook } from './webhook.js';
import {
  type Answer,
  reviewOf,
  startWebhookServer,
  testServices,
  threadProgram,
  type WebhookServer,
  webhookServer,
} from './webhook.test-support.js';

const OPEN = 'api: {open_paths: [/api/v1/webhook, /api/v1/webhook/warn]}\n';
const checkAnswer = requestCheck(REVIEW_ANSWER);

describe('POST /api/v1/webhook', () => {
  const today =
    'exceptions: [{rule: ORG-001, name: until-*, reason: r, expires: 2026-01-02}, {rule: ORG-001, name: ended, reason: r, expires: 2026-01-01}]\n';
  let server: WebhookServer;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ server, stop } = await startWebhookServer(`${OPEN}${today}webhook: {threads: 1}\n`, { limits: { maxBodyBytes: 4_000_000 } }));
  });
  afterAll(() => stop());

  it('answers a review as it is described, and logs it without its content', async () => {
    const { status, json } = await server.post(reviewOf(podOf([PRIVILEGED])), { path: '?timeout=10s' });
    expect(status).toBe(200);
    expect(checkAnswer(json)).toEqual([]);
    expect(json).toMatchObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'u-1', allowed: false } });
    const line = server.lines.map((text) => JSON.parse(text) as { msg: string }).find(({ msg }) => msg === 'review');
    expect(line).toMatchObject({
      level: 'info',
      decision: 'denied',
      operation: 'CREATE',
      kind: 'Pod',
      namespace: 'shop',
      rules: 'ORG-001',
    });
    expect(server.lines.join('')).not.toContain('registry.example.com');
  });

  it('takes the mode of its address', async () => {
    const asked = (path: string) => server.post(reviewOf(podOf([PRIVILEGED])), { path });
    expect((await asked('/warn?timeout=5s')).json.response).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/^ORG-001/)] });
    expect((await asked('/enforce')).json.response?.allowed).toBe(false);
    expect(await asked('/off')).toMatchObject({ status: 404 });
    expect(await asked('?mode=warn')).toMatchObject({ status: 422, json: { code: 'bad-query' } });
  });

  it('answers a body that is no review with a problem, as other routes do', async () => {
    const { post } = server;
    expect(await post('{')).toMatchObject({ status: 400, json: { code: 'invalid-json' } });
    const foreign = { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview', request: { uid: 'a' } };
    const errors = [{ path: '/apiVersion', message: 'must be one of admission.k8s.io/v1' }];
    expect(await post(foreign)).toMatchObject({ status: 422, json: { code: 'schema', errors } });
    expect(await post(' '.repeat(5_000_000))).toMatchObject({ status: 413, json: { code: 'too-large' } });
    expect(await post('{}', { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
  });

  it('evaluates an object of three megabytes', async () => {
    const env = Array.from({ length: 30_000 }, (_, index) => ({ name: `VARIABLE_${index}`, value: 'x'.repeat(70) }));
    const object = podOf([{ ...PRIVILEGED, env }]);
    expect(JSON.stringify(object).length).toBeGreaterThan(3_000_000);
    expect((await server.post(reviewOf(object))).json.response?.status?.message).toMatch(/ORG-001/);
  });

  it('lets exceptions end with the day of the server', async () => {
    const allowed = async (name: string) => (await server.post(reviewOf(podOf([PRIVILEGED], { name })))).json.response?.allowed;
    expect(await allowed('until-today')).toBe(true);
    expect(await allowed('ended')).toBe(false);
  });
});

/** A webhook whose threads run a program of the test. */
async function webhookWith(program: string, settings = '', threads = 1) {
  const { services, lines, remove } = await testServices(`${OPEN}webhook: {threads: ${threads}, deadline_ms: 200${settings}}\n`);
  const webhook = await createWebhook(services, await threadProgram(program));
  onTestFinished(() => webhook.stop().then(remove));
  const ask = async (object: { kind: string } = podOf([CONTAINER]), timeout?: string) => {
    const { body } = await webhook.answer(new TextEncoder().encode(JSON.stringify(reviewOf(object))), undefined, timeout);
    return (JSON.parse(String(body)) as Answer).response;
  };
  return { webhook, ask, lines };
}

describe('in time', () => {
  /** The program of the webhook, but for one name of an object. */
  const STUCK = `parentPort.on('message', ({ message }) => { if (Buffer.from(message.body).includes('never-ends')) for (;;); });
await import(${JSON.stringify(REVIEW_PROGRAM.href)});`;
  const endless = podOf([CONTAINER], { name: 'never-ends' });

  it('answers for a thread that is stuck, and replaces it', async () => {
    const { ask, webhook, lines } = await webhookWith(STUCK);
    await webhook.start();
    expect(await ask(endless)).toMatchObject({
      uid: 'u-1',
      allowed: false,
      status: { message: expect.stringMatching(/^This object cannot be checked: the check takes too long/) },
    });
    // While the next thread gets ready, requests may be answered without evaluating.
    await expect.poll(async () => (await ask(podOf([PRIVILEGED])))?.auditAnnotations?.rules, { timeout: 30_000 }).toBe('ORG-001');
    expect(lines.join('')).toContain('a webhook thread ended; a new thread replaces it');
  });

  it('keeps to what the API server waits', async () => {
    const { ask, webhook } = await webhookWith(STUCK, '00, unjudged: allowed');
    await webhook.start();
    expect(await ask(endless, '1s')).toMatchObject({
      allowed: true,
      warnings: [expect.stringMatching(/^This object was allowed without a check: the check takes too long/)],
    });
  });

  it('evaluates on another thread meanwhile', async () => {
    const { ask, webhook } = await webhookWith(STUCK, '00', 2);
    await webhook.start();
    const slow = ask(endless);
    expect((await ask(podOf([PRIVILEGED])))?.auditAnnotations?.rules).toBe('ORG-001');
    // Its thread is still at work when everything ends.
    await webhook.stop();
    expect((await slow)?.status?.message).toMatch(/the thread that checked it ended/);
  });
});

describe('a thread that', () => {
  it('ends costs the object that it evaluated, which is denied unless the configuration says otherwise', async () => {
    const ending = `serveThread(() => () => process.exit(1));`;
    const { ask, webhook } = await webhookWith(ending);
    await webhook.start();
    expect(await ask()).toMatchObject({
      allowed: false,
      status: { code: 403, message: expect.stringMatching(/the thread that checked it ended/) },
    });
    const lenient = await webhookWith(ending, ', unjudged: allowed');
    await lenient.webhook.start();
    expect(await lenient.ask()).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/the thread that checked it ended/)] });
  });

  it('ends is replaced', async () => {
    const answer = { type: 'reviewed', text: '{"response":{"uid":"of the second"}}', log: { decision: 'allowed' } };
    const { ask, webhook, lines } = await webhookWith(`import { existsSync, writeFileSync } from 'node:fs';
const seen = new URL('seen', import.meta.url);
serveThread(() => () => {
  if (existsSync(seen)) return ${JSON.stringify(answer)};
  writeFileSync(seen, '');
  process.exit(1);
});`);
    await webhook.start();
    await ask();
    await expect.poll(async () => (await ask())?.uid).toBe('of the second');
    expect(lines.filter((line) => line.includes('a new thread replaces it'))).toHaveLength(1);
  });

  it('fails is a defect, which the log tells', async () => {
    const { ask, webhook, lines } = await webhookWith(`serveThread(() => function x() { throw new TypeError('secret') });`);
    await webhook.start();
    expect(await ask()).toMatchObject({ allowed: false, status: { message: expect.stringMatching(/bylaw failed because of a bug/) } });
    expect(lines.join('')).toMatch(/"error":"TypeError","frames":\["at x [^\]]+\],"msg":"a review failed because of a bug"/);
    expect(lines.join('')).not.toContain('secret');
  });

  it('cannot start keeps the server from starting', async () => {
    const { webhook } = await webhookWith(`throw new Error('no');`);
    await expect(webhook.start()).rejects.toThrow('no');
  });

  it('never answers leaves those who wait for it to the setting `fail`, and so do too many who wait', async () => {
    const silent = `serveThread(() => () => new Promise(() => {}));`;
    const { ask, webhook } = await webhookWith(silent);
    await webhook.start();
    const [first, ...others] = await Promise.all(Array.from({ length: 514 }, () => ask()));
    expect(first).toMatchObject({ allowed: false });
    expect(others.every((response) => response?.allowed)).toBe(true);
    expect(others[0]?.warnings).toEqual(['This object was allowed without a check: the webhook ran out of time.']);
    expect(others.at(-1)?.warnings).toEqual(['This object was allowed without a check: too many requests are waiting for the webhook.']);
    const strict = await webhookWith(silent, ', fail: denied');
    await strict.webhook.start();
    const [, waiting] = await Promise.all([strict.ask(), strict.ask()]);
    expect(waiting).toMatchObject({
      allowed: false,
      status: { code: 500, reason: 'InternalError', message: expect.stringMatching(/Try again\.$/) },
    });
  });
});

describe('a server that no cluster is known to ask', () => {
  it('starts no thread before the first request', async () => {
    const { services, remove } = await testServices('');
    const webhook = await createWebhook(services, await threadProgram(`throw new Error('no');`));
    onTestFinished(() => webhook.stop().then(remove));
    await webhook.start();
    expect(webhook.ready()).toEqual([]);
    const { post } = await webhookServer('webhook: {threads: 1}\n');
    expect((await post(reviewOf(podOf([PRIVILEGED])))).json.response?.allowed).toBe(false);
  });
});
