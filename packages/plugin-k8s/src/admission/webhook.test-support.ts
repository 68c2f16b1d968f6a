import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkBreaches } from '@bylaw/core/config';
import { endpointRoute } from '@bylaw/core/endpoint/host';
import { createRouter, type HttpServerOptions, serveHttp } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { servicesIn } from '@bylaw/core/testing/services';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../cluster/testing/connected.test-support.js';
import { checkWebhook } from '../config/check-webhook.js';
import { WEBHOOK_SECTION } from '../config/webhook-section.js';
import { webhookOf } from './webhook.js';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.js';

/** One rule, so that threads are ready at once. */
const RULE = `id: ORG-001
severity: CRITICAL
title: Containers do not run privileged
description: A privileged container owns its node.
targets: [PodSpec]
each: anyContainer
expression: container.?securityContext.?privileged.orValue(false) != true
path: /securityContext/privileged
fix: Set privileged to false.
examples:
  - fail: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, securityContext: {privileged: true}}]}}
  - pass: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}
`;

export interface TestServices {
  services: Services;
  /** Of the log. */
  lines: string[];
  folder: string;
  remove(): Promise<void>;
}

/** @param yaml text of bylaw.yaml, at 3:04 on 2 January 2026 */
export async function testServices(yaml: string): Promise<TestServices> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-webhook-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    return { ...(await webhookServices(folder, yaml)), folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function webhookServices(folder: string, yaml: string): Promise<{ services: Services; lines: string[] }> {
  await mkdir(join(folder, 'rules'));
  await writeFile(join(folder, 'rules', 'ORG-001.yaml'), RULE);
  await writeFile(join(folder, 'bylaw.yaml'), yaml);
  const here = await servicesIn(folder, {
    plugin: { plugin: 'k8s', sections: WEBHOOK_SECTION },
    rules: { packs: [], ruleDirs: [join(folder, 'rules')] },
    level: 'debug',
  });
  checkBreaches(here.loaded, checkWebhook(here.services.config));
  return here;
}

export interface WebhookServer {
  url: string;
  lines: string[];
  folder: string;
  post(body: unknown, how?: { path?: string; headers?: { [name: string]: string } }): Promise<{ status: number; json: Answer }>;
}

/** An AdmissionReview or a problem document. */
export interface Answer {
  response?: {
    uid: string;
    allowed: boolean;
    warnings?: string[];
    status?: { message: string };
    auditAnnotations?: { [key: string]: string };
  };
  code?: string;
  detail?: string;
  errors?: unknown;
}

/** A server with the webhook alone, until the test ends. */
export async function webhookServer(yaml: string, options: Partial<HttpServerOptions> = {}): Promise<WebhookServer> {
  const { server, stop } = await startWebhookServer(yaml, options);
  onTestFinished(stop);
  return server;
}

export async function startWebhookServer(
  yaml: string,
  options: Partial<HttpServerOptions> = {},
): Promise<{ server: WebhookServer; stop: () => Promise<void> }> {
  const { services, lines, folder, remove } = await testServices(yaml);
  const { api } = services.config;
  const webhook = await webhookOf(services);
  const router = createRouter();
  for (const endpoint of WEBHOOK_ENDPOINTS) router.add(endpointRoute(endpoint, services));
  await webhook.start();
  const server = await serveHttp({
    router,
    host: '127.0.0.1',
    port: 0,
    log: services.log,
    problemsUrl: 'https://problems.test',
    keys: api.keys,
    openPaths: api.open_paths,
    ...options,
  });
  const stop = async () => {
    await server.close();
    await webhook.stop();
    await remove();
  };
  const post: WebhookServer['post'] = async (body, { path = '', headers = {} } = {}) => {
    const answer = await fetch(`${server.url}/api/v1/webhook${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, json: (await answer.json()) as Answer };
  };
  return { server: { url: server.url, lines, folder, post }, stop };
}

/** A review as an API server sends it. */
export function reviewOf(object: { kind: string }, more: object = {}): object {
  const request = {
    uid: 'u-1',
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: object.kind },
    namespace: 'shop',
    object,
    ...more,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** A file with a program for threads, in which `parentPort` and `serveThread` are known. */
export async function threadProgram(code: string): Promise<URL> {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';\nimport { serveThread } from '${import.meta.resolve('@bylaw/core/thread')}';\n${code}\n`,
  );
  return pathToFileURL(file);
}
