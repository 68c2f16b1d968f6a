import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock } from '@bylaw/core/clock';
import { onTestFinished } from 'vitest';
import type { Cluster } from '../cluster.js';
import { type ConnectOptions, connect } from '../connect.js';
import type { Timing } from '../timing.js';
import { type ApiServer, type ApiServerOptions, apiServer } from './api-server.test-support.js';

/** Time that passes only when somebody waits, and then at once. */
export interface TestTiming extends Timing {
  /** Milliseconds of every wait so far. */
  waits: number[];
}

export function testTiming(random = 0.5): TestTiming {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    random: () => random,
  };
}

/** A folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-cluster-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function runningServer(options?: ApiServerOptions): Promise<ApiServer> {
  const server = await apiServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A connection with time of its own to a server, by a kubeconfig in a folder of its own. */
export async function connectedTo(
  server: ApiServer,
  options: { cluster?: object; user?: object } & Partial<ConnectOptions> = {},
): Promise<{ cluster: Cluster; timing: TestTiming }> {
  const { cluster: clusterEntry, user, ...others } = options;
  const kubeconfig = join(await temporaryFolder(), 'config');
  await writeFile(kubeconfig, server.kubeconfig({ ...(clusterEntry && { cluster: clusterEntry }), ...(user && { user }) }));
  const timing = testTiming();
  const cluster = await connect({ kubeconfig, env: {}, timing, clock: fixedClock('2026-01-02T03:04:05Z'), ...others });
  onTestFinished(() => cluster.close());
  return { cluster, timing };
}

/** All pages of a list. */
export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(source);
}
