import { type Clock, systemClock } from '@bylaw/core/clock';
import type { Cluster } from './cluster.js';
import { credentialSource } from './credentials/index.js';
import { discover, serverVersion } from './discovery/index.js';
import { type Environment, findAccess, SERVICE_ACCOUNT_FOLDER } from './kubeconfig/index.js';
import { listObjects, watchObjects } from './objects/index.js';
import { systemTiming, type Timing } from './timing.js';
import { type ConnectionLimits, DEFAULT_LIMITS, transport } from './transport/index.js';

export interface ConnectOptions {
  /** The value of `--kubeconfig`. Absent: KUBECONFIG, else `~/.kube/config`, else the service account of this Pod. */
  kubeconfig?: string;
  /** The value of `--context`. Absent: the current one. */
  context?: string;
  /** `process.env`. */
  env: Environment;
  /** A credential plugin may ask the user at the terminal; absent: it may not. */
  interactive?: boolean;
  limits?: Partial<ConnectionLimits>;
  clock?: Clock;
  timing?: Timing;
  /** Where Kubernetes mounts the account of a Pod. */
  serviceAccountFolder?: string;
}

/** Milliseconds that a credential plugin may take where nobody has to type. */
const PLUGIN_MS = 60_000;

/**
 * Reads the kubeconfig and makes a connection of it. Nothing is sent before the first request. To be closed.
 * @throws {BylawError} `kubeconfig-missing`, `kubeconfig-invalid`, `context-unknown`, `credential-plugin`
 */
export async function connect(options: ConnectOptions): Promise<Cluster> {
  const { env, interactive = false, clock = systemClock, timing = systemTiming, serviceAccountFolder = SERVICE_ACCOUNT_FOLDER } = options;
  const access = await findAccess({
    env,
    serviceAccountFolder,
    ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }),
    ...(options.context !== undefined && { context: options.context }),
  });
  const credentials = credentialSource(access.user, { clock, env, interactive, pluginMs: PLUGIN_MS });
  const line = transport({ access, credentials, env, clock, timing, limits: { ...DEFAULT_LIMITS, ...options.limits } });
  return {
    context: access.context,
    version: () => serverVersion(line),
    discover: () => discover(line),
    list: (kind, how = {}) => listObjects(line, kind, how),
    watch: (kind, how) => watchObjects(line, kind, how),
    close: async () => line.close(),
  };
}
