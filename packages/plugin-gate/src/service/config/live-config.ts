import type { Environment } from '@bylaw/core/config';
import { type AdapterRegistry, adapterRegistry, adapterSecrets } from '../../auth/index.js';
import type { GateConfig } from '../../config/index.js';
import type { Json } from '../../json/index.js';
import { exactFinder, exactMasker } from '../../masking/index.js';
import { isEmpty, stillIn, type Withdrawals, without } from './withdrawals.js';

/** The configuration that a running gate decides by: it can lose parts at any time, and is replaced as a whole on request. */
export interface LiveConfig {
  readonly config: GateConfig;
  readonly registry: AdapterRegistry;
  /** Digest of the file that was loaded last; null where there is none. */
  readonly digest: string | null;
  /** Replaces every secret that an adapter has had since the start. */
  readonly withoutSecrets: (value: Json) => Json;
  /** Whether one of them is in a canonical text. */
  readonly holdsSecret: (canonicalText: string) => boolean;
  /** Takes effect at once. @returns what was still in force of it */
  withdraw(withdrawals: Withdrawals): Withdrawals;
  /**
   * Puts policies, modes, adapters and approvers of another configuration in force at once. All other settings stay as they were
   * at the start.
   */
  replace(next: GateConfig, digest: string): void;
}

/** @param env of the start of the process: a secret that is set later is not known */
export function liveConfig(initial: GateConfig, initialDigest: string | null, env: Environment): LiveConfig {
  const secrets = new Set(adapterSecrets(initial.adapters, env));
  let config = initial;
  let digest = initialDigest;
  let gone = new Set<string>();
  let registry = adapterRegistry(config.adapters, env);
  let withoutSecrets = exactMasker([...secrets]);
  let holdsSecret = exactFinder([...secrets]);
  return {
    get config() {
      return config;
    },
    get registry() {
      return registry;
    },
    get digest() {
      return digest;
    },
    get withoutSecrets() {
      return withoutSecrets;
    },
    get holdsSecret() {
      return holdsSecret;
    },
    withdraw: (withdrawals) => {
      const { secrets: named, ...others } = stillIn(config, withdrawals);
      const effective = { ...others, secrets: named.filter(({ variable }) => !gone.has(variable)) };
      if (isEmpty(effective)) return effective;
      for (const { variable } of effective.secrets) gone.add(variable);
      config = without(config, effective);
      registry = adapterRegistry(config.adapters, withoutVariables(env, gone));
      return effective;
    },
    replace: ({ policy, enforcement, adapters, approvers, approvals }, nextDigest) => {
      config = { ...config, policy, enforcement, adapters, approvers, approvals };
      digest = nextDigest;
      gone = new Set();
      registry = adapterRegistry(adapters, env);
      for (const secret of adapterSecrets(adapters, env)) secrets.add(secret);
      withoutSecrets = exactMasker([...secrets]);
      holdsSecret = exactFinder([...secrets]);
    },
  };
}

function withoutVariables(env: Environment, gone: ReadonlySet<string>): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !gone.has(name)));
}
