import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluationFromFlags } from '@bylaw/core/command/evaluation';
import { endpointRoute } from '@bylaw/core/endpoint/host';
import { createEngine } from '@bylaw/core/evaluate';
import { createRouter, serveHttp } from '@bylaw/core/http';
import { operationThreads } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { servicesIn } from '@bylaw/core/testing/services';
import { onTestFinished, vi } from 'vitest';
import type { ApiServer } from '../../cluster/testing/api-server.test-support.js';
import { temporaryFolder } from '../../cluster/testing/connected.test-support.js';
import { SCAN_SECTION } from '../../config/scan-section.js';
import { scanCluster } from './scan-endpoint.js';

export interface ScanningServer {
  services: Services;
  /** What was logged, one JSON text per line. */
  lines: string[];
  /** A folder with a bylaw.yaml and a kubeconfig. */
  folder: string;
  kubeconfig: string;
  post(body: unknown, signal?: AbortSignal): Promise<{ status: number; json: Record<string, unknown>; text: string; headers: Headers }>;
}

/** A server that scans what is served there, by all rules of the pack. Its KUBECONFIG holds for the process until the test ends. */
export async function scanningServer(cluster: Pick<ApiServer, 'kubeconfig'>, yaml = ''): Promise<ScanningServer> {
  const folder = await temporaryFolder();
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, cluster.kubeconfig());
  await writeFile(join(folder, 'bylaw.yaml'), yaml);
  vi.stubEnv('KUBECONFIG', kubeconfig);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { services: made, lines } = await servicesIn(folder, { plugin: { plugin: 'k8s', sections: SCAN_SECTION } });
  // From the bundle, as all that evaluates here: what a rule throws or makes must be of the same modules.
  const catalogue = await loadCatalogue({ packs: RULE_PACKS });
  const threads = operationThreads();
  const services: Services = { ...made, catalogue, threads, engine: createEngine({ catalogue, clock: made.clock }) };
  const { config, paths } = services;
  onTestFinished(() => threads.close());
  const comparing = { config, base: paths.base, modules: [] };
  threads.prepare({
    version: '1.2.3',
    origin: catalogue.origin,
    defaults: await evaluationFromFlags({}, services),
    comparing,
    readers: [],
  });
  const router = createRouter();
  router.add(endpointRoute(scanCluster, services));
  const server = await serveHttp({
    router,
    host: '127.0.0.1',
    port: 0,
    log: services.log,
    problemsUrl: 'https://problems.test',
    keys: [],
    openPaths: [],
  });
  onTestFinished(() => server.close());
  const post: ScanningServer['post'] = async (body, signal) => {
    const answer = await fetch(`${server.url}/api/v1/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    return { status: answer.status, json: JSON.parse(text) as Record<string, unknown>, text, headers: answer.headers }; // always JSON
  };
  return { services, lines, folder, kubeconfig, post };
}
