import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBreaches, loadConfig } from '@bylaw/core/config';
import { endpointRoute } from '@bylaw/core/endpoint/host';
import { createEngine } from '@bylaw/core/evaluate';
import { createRouter, openApiDocument, probeRoutes, serveHttp } from '@bylaw/core/http';
import { createLog } from '@bylaw/core/log';
import { operationThreads } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { loadCatalogue } from '@bylaw/core/rule';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { signRequest } from '../../auth/index.js';
import { checkGateConfig, GATE_SECTIONS } from '../../config/index.js';
import { GATE_ENDPOINTS } from '../endpoints/endpoints.js';
import type { Gate } from '../gate/gate.js';
import { startGate } from '../start/start-gate.js';
import { type Answered, expectDocumented, type OpenApi } from './documented.test-support.js';
import { type GateFolderOptions, gateFolder } from './gate-folder.test-support.js';

export const SECRET = '0123456789abcdef0123456789abcdef';
export const OTHER_SECRET = 'fedcba9876543210fedcba9876543210';

export interface GateServerOptions extends GateFolderOptions {
  /** Variables; absent: those of the adapters `ci` and `tool`. */
  env?: { [name: string]: string };
  dev?: boolean;
  /** Checks the store in the background, with such pauses. */
  checkPauseMs?: number;
  /** A folder that an earlier server has left. */
  folder?: string;
}

/** A gate with the real store, the real policies and real HTTP on a free port; time alone is moved by hand. */
export interface GateServer {
  url: string;
  folder: string;
  gate: Gate;
  /** Lines of the log. */
  lines: string[];
  notices: readonly string[];
  /** Both clocks go on. */
  advance(ms: number): void;
  /** Sets the wall clock. */
  setTime(iso: string): void;
  now(): Date;
  reload(): Promise<void>;
  send(method: string, target: string, options?: SendOptions): Promise<Answered>;
  submit(proposal: object, options?: SendOptions): Promise<Answered>;
  /** All records, oldest first, with their data parsed. */
  records(): Promise<ChainRecord[]>;
  /** Ends the server, and keeps the folder. */
  stop(): Promise<void>;
  /** Ends the server and removes the folder. */
  remove(): Promise<void>;
}

export interface SendOptions {
  body?: string | Uint8Array | object;
  adapter?: string;
  secret?: string;
  nonce?: string;
  /** Time that is signed; absent: that of the server. */
  at?: Date;
  /** Instead of, and in addition to, those of a signed request. `undefined` leaves one out. */
  headers?: { [name: string]: string | undefined };
}

export interface ChainRecord {
  seq: number;
  type: string;
  dev: boolean;
  reported_by: string;
  prev_hash: string;
  hash: string;
  time: string;
  assurance?: string;
  data: { [member: string]: unknown };
}

/** The description that answers are held against. */
const DESCRIPTION = openApiDocument({ title: 't', version: '1', description: 'd', license: 'Apache-2.0', tags: {} }, [
  ...GATE_ENDPOINTS.map((endpoint) => endpointRoute(endpoint, {} as Services)), // none is needed for their description
  ...probeRoutes({ reasons: () => [], loopbackHostOnly: false }),
]) as OpenApi;

const START = '2026-01-02T03:04:05.678Z';

/** @returns a running server; `remove` it */
export async function gateServer(options: GateServerOptions = {}): Promise<GateServer> {
  const folder = options.folder ?? (await gateFolder(options));
  const env = options.env ?? { CI: SECRET, TOOL: OTHER_SECRET };
  const clock = handClock();
  const lines: string[] = [];
  const log = createLog({ clock, to: { write: (line: string) => void lines.push(line) } });
  const services = await servicesOf(folder, clock, log);
  const { gate, running } = await startGate(
    services,
    { version: '1.2.3', dev: options.dev ?? false, acceptRollback: false, alone: false },
    {
      env,
      random: cryptoBytes,
      monotonicNow: clock.monotonicNow,
      die: (error) => lines.push(`died: ${error.message}`),
      ...(options.checkPauseMs !== undefined && { checkPauseMs: options.checkPauseMs }),
    },
  );
  const router = createRouter();
  const probes = probeRoutes({ reasons: running.ready, loopbackHostOnly: options.dev ?? false });
  for (const route of [...GATE_ENDPOINTS.map((endpoint) => endpointRoute(endpoint, services)), ...probes]) router.add(route);
  const server = await serveHttp({ router, host: '127.0.0.1', port: 0, log, problemsUrl: 'https://svc.invalid/problems', keys: [] });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.close().then(() => running.stop());
    return stopped;
  };
  const send = async (method: string, target: string, how: SendOptions = {}): Promise<Answered> => {
    const body =
      how.body === undefined || typeof how.body === 'string' || how.body instanceof Uint8Array ? how.body : JSON.stringify(how.body);
    const signed = options.dev
      ? {}
      : signRequest({
          method,
          target,
          adapterId: how.adapter ?? 'ci',
          secret: how.secret ?? (how.adapter === 'tool' ? OTHER_SECRET : SECRET),
          at: how.at ?? clock.now(),
          ...(how.nonce !== undefined && { nonce: how.nonce }),
          ...(body !== undefined && { body }),
        });
    const merged = Object.entries({ ...signed, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...how.headers });
    const response = await fetch(`${server.url}${target}`, {
      method,
      headers: merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const answered: Answered = { status: response.status, headers: response.headers, text: await response.text() };
    expectDocumented(DESCRIPTION, method, target.split('?', 1)[0] ?? '', answered);
    return answered;
  };
  return {
    url: server.url,
    folder,
    gate,
    lines,
    notices: running.notices ?? [],
    advance: clock.advance,
    setTime: clock.setTime,
    now: clock.now,
    reload: async () => running.reload?.(),
    send,
    submit: (proposal, how = {}) => send('POST', '/v1/proposals', { body: proposal, ...how }),
    records: () => recordsOf(gate),
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function servicesOf(folder: string, clock: Services['clock'], log: Services['log']): Promise<Services> {
  const file = join(folder, 'bylaw.yaml');
  const text = await readFile(file, 'utf8');
  const config = structuredClone(await configOf(folder, text));
  const catalogue = await loadCatalogue({ packs: [] });
  const paths = { base: folder, data: join(folder, '.bylaw') };
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const configFile = { path: file, digest, reload: () => reloaded(folder) };
  return { engine: createEngine({ catalogue, clock }), catalogue, config, paths, configFile, clock, log, threads: operationThreads() };
}

/** As `openInstallation` does it. */
async function reloaded(folder: string): Promise<{ config: Services['config']; digest: string }> {
  const loaded = await loadConfig({ cwd: folder, env: {}, path: 'bylaw.yaml', plugins: [{ plugin: 'gate', sections: GATE_SECTIONS }] });
  checkBreaches(loaded, checkGateConfig(loaded.config, {}));
  return { config: loaded.config, digest: loaded.file?.digest ?? '' };
}

/** Checking a configuration costs more than all else of a start, and most servers have the same. */
const configs = new Map<string, Promise<Services['config']>>();

function configOf(folder: string, text: string): Promise<Services['config']> {
  const loaded =
    configs.get(text) ??
    loadConfig({ cwd: folder, env: {}, plugins: [{ plugin: 'gate', sections: GATE_SECTIONS }] }).then(({ config }) => config);
  configs.set(text, loaded);
  return loaded;
}

function cryptoBytes(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

function handClock() {
  let time = Date.parse(START);
  let monotonic = 1000;
  return {
    now: () => new Date(time),
    monotonicNow: () => monotonic,
    advance: (ms: number) => {
      time += ms;
      monotonic += ms;
    },
    setTime: (iso: string) => {
      time = Date.parse(iso);
    },
  };
}

async function recordsOf({ store }: Gate): Promise<ChainRecord[]> {
  const head = await store.head();
  const found: ChainRecord[] = [];
  if (!head) return found;
  for await (const batch of store.records({ from: 0, to: head.seq }))
    for (const { header, data, hash } of batch) found.push({ ...JSON.parse(header), hash, data: data === null ? null : JSON.parse(data) });
  return found;
}

/** Starts servers, and removes them after each test. Call it at the top of a test file. */
export function gateServers(): (options?: GateServerOptions) => Promise<GateServer> {
  const servers: GateServer[] = [];
  afterEach(async () => {
    const started = servers.splice(0);
    // Two of them can share a folder, and one that runs writes there.
    for (const server of started) await server.stop();
    for (const server of started) await server.remove();
  });
  return async (options) => {
    const server = await gateServer(options);
    servers.push(server);
    return server;
  };
}

/** One server for all tests of a block. */
export function sharedGateServer(options?: GateServerOptions): () => GateServer {
  let server: GateServer | undefined;
  beforeAll(async () => {
    server = await gateServer(options);
  });
  afterAll(() => server?.remove());
  return () => {
    if (!server) throw new Error('no test is running');
    return server;
  };
}

/** Fails unless the answer is the problem, as RFC 9457 and the gate write it. */
export function expectProblem(answer: Answered, status: number, code: string): { [member: string]: unknown } {
  const document = JSON.parse(answer.text) as { [member: string]: unknown };
  expect(document).toMatchObject({ status, code });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(document.instance).toBe(`urn:uuid:${answer.headers.get('x-svc-request-id')}`);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('SVC-HMAC');
  return document;
}
