import { availableParallelism } from 'node:os';
import { EVALUATIONS, type ThreadKind } from '@bylaw/core/endpoint';
import { endpointRoute } from '@bylaw/core/endpoint/host';
import { BylawError } from '@bylaw/core/errors';
import { createRouter, type HttpLimits, isLoopbackHost, probeRoutes, type Router, serveHttp } from '@bylaw/core/http';
import { describeError } from '@bylaw/core/log';
import { endpointsOf, type InstalledPlugin, type RunningPlugin, type Services, type StartOptions } from '@bylaw/core/plugin';
import { threadHeapMb } from '@bylaw/core/thread';
import { CORE_ENDPOINTS, endpointsWith, healthEndpoint } from '../endpoints/index.js';
import { programOf } from '../program.js';
import { docsRoutes } from './docs-page.js';
import { openApiRoute } from './openapi-route.js';
import { readTls, type TlsFiles, watchTls } from './tls.js';

export interface ServerOptions {
  services: Services;
  plugins: readonly InstalledPlugin[];
  /** Version of the program. */
  version: string;
  /** Absent: those of the configuration. */
  host?: string;
  port?: number;
  tls?: TlsFiles;
  /** Listen beyond loopback although no API key is configured. */
  allowUnauthenticated?: boolean;
  /** Only the routes of this plugin, and those core routes that report on the server itself. */
  only?: string;
  /** See `StartOptions`. */
  dev?: boolean;
  acceptRollback?: boolean;
  /** Threads that evaluate; absent: one per processor, at least 2 and at most 8. */
  threads?: number;
  poolLimits?: ThreadKind['limits'];
  limits?: Partial<HttpLimits>;
}

export interface StartedServer {
  /** With the port that was really taken. */
  url: string;
  /** What whoever started it must read. */
  notices: readonly string[];
  /** Lets the plugins load again what may have changed. */
  reload(): Promise<void>;
  /** Stops accepting, finishes what was accepted, ends the plugins and the threads. */
  close(): Promise<void>;
}

/**
 * Starts the one server: the routes of core, and those of the given plugins. When it resolves, the server accepts connections
 * and every plugin has started.
 * @throws {BylawError} `usage` when it would be open to others without a key, `address-unavailable`, `path-unreadable`
 */
export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const { services } = options;
  const { api } = services.config;
  const host = options.host ?? api.host;
  const port = options.port ?? api.port;
  const plugins = chosenPlugins(options);
  if (options.dev) refuseReachableDev(host);
  const tlsFiles = tlsFilesOf(options);
  const tls = tlsFiles && (await readTls(tlsFiles));
  const undo: (() => Promise<void>)[] = [];
  try {
    const how = {
      version: options.version,
      dev: options.dev ?? false,
      acceptRollback: options.acceptRollback ?? false,
      alone: options.only !== undefined,
    };
    const running: RunningPlugin[] = [];
    const router = await mount(options, plugins, how, running, undo);
    if (router.routes.some(({ auth }) => auth === 'api-key')) refuseReachableWithoutKeys(host, options);
    await startPlugins(plugins, services, how, running, undo);
    for (const plugin of running) warnUnready(plugin, services);
    const server = await serveHttp({
      router,
      host,
      port,
      log: services.log,
      problemsUrl: api.problems_url,
      keys: api.keys,
      openPaths: api.open_paths,
      limits: { maxBodyBytes: api.max_body_bytes, idleMs: api.idle_seconds * 1000, ...options.limits },
      ...(tls && { tls }),
    }).catch((error: unknown) => {
      throw unavailable(host, port, error);
    });
    const stopWatching = tlsFiles && tls ? watchTls(tlsFiles, tls, server.setTls, services.log) : () => undefined;
    undo.push(async () => {
      stopWatching();
      await server.close();
    });
    services.log.info(
      { url: server.url, rules: services.catalogue.rules.length, plugins: plugins.map(({ plugin }) => plugin.name) },
      'listening',
    );
    return {
      url: server.url,
      notices: running.flatMap(({ notices = [] }) => notices),
      reload: () => reloadAll(running, services),
      close: () => closeAll(undo, services),
    };
  } catch (error) {
    await closeAll(undo, services);
    throw error;
  }
}

function chosenPlugins({ plugins, only }: ServerOptions): readonly InstalledPlugin[] {
  if (only === undefined) return plugins;
  const chosen = plugins.filter(({ plugin }) => plugin.name === only);
  if (chosen.length > 0) return chosen;
  throw new BylawError('usage', `No plugin in use is called ${only}.`, {
    hint: `Plugins in use: ${plugins.map(({ plugin }) => plugin.name).join(', ') || 'none'}.`,
  });
}

/** The server requests client certificates over TLS only. If they are configured without TLS, it must neither let everyone in nor lock everyone out. */
function tlsFilesOf({ tls, services: { config } }: ServerOptions): TlsFiles | undefined {
  const clientCa = config.api.client_ca;
  if (clientCa === undefined) return tls;
  if (tls) return { ...tls, clientCa };
  throw new BylawError('usage', '`api.client_ca` is set, but client certificates require TLS.', {
    hint: 'Pass --tls-cert and --tls-key, or remove the setting.',
  });
}

function refuseReachableDev(host: string): void {
  if (isLoopbackHost(host)) return;
  throw new BylawError('usage', `With --dev, the server must listen on a loopback address, but other machines can reach ${host}.`, {
    hint: 'Listen on 127.0.0.1, or remove --dev.',
  });
}

/** A server that anybody can reach must know who asks, unless its owner says otherwise. */
function refuseReachableWithoutKeys(host: string, { services: { config, log }, allowUnauthenticated = false }: ServerOptions): void {
  if (config.api.keys.length > 0 || isLoopbackHost(host)) return;
  if (!allowUnauthenticated)
    throw new BylawError('usage', `The server would answer anyone who can reach ${host}: no API key is configured.`, {
      hint: 'Create a key with `bylaw apikey create` and add its digest to `api.keys`, listen on 127.0.0.1, or pass --allow-unauthenticated.',
    });
  log.warn({ host }, 'no API key is configured: the server answers anyone who can reach it');
}

/** Two threads even on one processor: the operating system shares it between large work and small. */
function openThreads({ services, threads, poolLimits }: ServerOptions): void {
  const size = threads ?? Math.max(2, Math.min(availableParallelism(), 8));
  const heapMb = threadHeapMb(size, services.config.api.max_body_bytes);
  services.threads.open(EVALUATIONS, { size, warm: true, heapMb, ...poolLimits }, modulesOf(EVALUATIONS));
}

function modulesOf(kind: ThreadKind): string[] {
  return CORE_ENDPOINTS.flatMap((endpoint) => ('thread' in endpoint && endpoint.thread?.kind === kind ? [endpoint.thread.module] : []));
}

const NO_EVALUATION_THREAD = { code: 'evaluation-threads', message: 'No evaluation thread is ready.' };

/** @param running the plugins that have started; when a request comes, all have */
async function mount(
  options: ServerOptions,
  plugins: readonly InstalledPlugin[],
  how: StartOptions,
  running: readonly RunningPlugin[],
  undo: (() => Promise<void>)[],
): Promise<Router> {
  const { services, version, only } = options;
  const router = createRouter();
  services.threads.prepare(await programOf(services, plugins, version));
  undo.push(() => services.threads.close());
  if (only === undefined) {
    openThreads(options);
    const own = [healthEndpoint(plugins, version), ...(await endpointsWith(plugins))];
    for (const endpoint of own) router.add(endpointRoute(endpoint, services));
  }
  const probes = probeRoutes({
    reasons: () => [
      ...(only === undefined && !services.threads.ready(EVALUATIONS) ? [NO_EVALUATION_THREAD] : []),
      ...running.flatMap((plugin) => plugin.ready()),
    ],
    loopbackHostOnly: how.dev,
  });
  for (const route of [...probes, openApiRoute(router, plugins, version), ...docsRoutes()]) router.add(route);
  for (const { plugin, packageName } of plugins) {
    if (plugin.serves?.(services, how) === false) continue;
    try {
      for (const endpoint of await endpointsOf({ plugin, packageName })) router.add(endpointRoute(endpoint, services));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BylawError('plugin-invalid', `Cannot mount the endpoints of the plugin ${packageName}: ${why}`, { cause });
    }
  }
  return router;
}

async function startPlugins(
  plugins: readonly InstalledPlugin[],
  services: Services,
  how: StartOptions,
  running: RunningPlugin[],
  undo: (() => Promise<void>)[],
): Promise<void> {
  for (const { plugin } of plugins) {
    const started = await plugin.start?.(services, how);
    if (!started) continue;
    running.push(started);
    undo.push(() => started.stop());
  }
}

/** One that fails to load again does not keep the others from it. */
async function reloadAll(running: readonly RunningPlugin[], { log }: Services): Promise<void> {
  for (const plugin of running)
    await plugin.reload?.().catch((error: unknown) => log.error(describeError(error), 'a plugin could not reload its files'));
}

function warnUnready(plugin: RunningPlugin, { log }: Services): void {
  for (const { code, message } of plugin.ready()) log.warn({ code }, message);
}

function unavailable(host: string, port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = LISTEN_ERRORS[code];
  return why === undefined
    ? error
    : new BylawError('address-unavailable', `The server cannot listen on ${host} port ${port}: ${why}.`, { cause: error });
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose a different port with --port',
  EACCES: 'permission denied; ports below 1024 usually require privileges',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is unknown',
};

/** The last that was started ends first; one that fails to end does not keep the others from it. */
async function closeAll(undo: (() => Promise<void>)[], { log }: Services): Promise<void> {
  for (const end of undo.splice(0).reverse())
    await end().catch((error: unknown) =>
      log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'a part of the server did not stop cleanly'),
    );
}
