import type { ApiConfig, Config } from '@bylaw/core/config';

/** The sections of bylaw.yaml that the gate owns, with defaults filled in. Relative paths start at the folder of the file. */
export interface GateConfig {
  api: {
    /** Allowed difference between the time of a request and the server's clock, in seconds. */
    max_clock_skew_seconds: number;
    /** Requests per second; 0 turns a limit off. */
    rate_limit: { per_adapter_rps: number; per_principal_rps: number };
    /** Decisions that may wait. */
    queue_limit: number;
    export_concurrency: number;
    problems_url: string;
  };
  store:
    | { kind: 'sqlite'; path: string; replicas?: number }
    | { kind: 'postgres'; dsn_env: string; sequence_wait_ms: number; poll_ms: number; replicas?: number };
  /** Where the signing key is: a PKCS#8 PEM file, or a variable that holds the text of one. */
  signing: { key_file: string } | { key_env: string };
  policy: { bundle?: string };
  enforcement: { mode: Mode; adapters: { [adapter: string]: Mode } };
  adapters: AdapterEntry[];
  approvers: ApproverEntry[];
  approvals: { allow_unsigned: boolean; sweep_seconds: number };
  evidence: { origin?: string; checkpoint_dir: string; checkpoint_seconds: number };
  oscal: { version: '1.1.2' | '1.1.3' | '1.2.3'; controls: string[]; system_id?: string };
}

/** Someone who may approve. */
export interface ApproverEntry {
  id: string;
  /** Raw Ed25519 key, base64url. */
  public_key: string;
  groups: string[];
  /** Other names under which the approver submits proposals. */
  principals?: string[];
}

export type Mode = 'enforcing' | 'shadow';

export const ADAPTER_KINDS = ['ci', 'mcp', 'hook', 'proxy', 'admission', 'sdk', 'cli'] as const;
export type AdapterKind = (typeof ADAPTER_KINDS)[number];

/** A registered adapter. The configuration names the variables of its secrets, never their values. */
export interface AdapterEntry {
  adapter_id: string;
  secret_env: string;
  kind: AdapterKind;
  /** Only during a rotation: the variable of the secret that goes. */
  previous_secret_env?: string;
  /** Lowers the ceiling of the kind. */
  enforcement?: 'enforcing' | 'advisory';
}

/** Kinds that the agent can go around: they run in its own process, or on a laptop. */
const ADVISORY_KINDS: ReadonlySet<AdapterKind> = new Set(['sdk', 'cli']);

/** The most that proposals of an adapter may claim. */
export function ceilingOf({ kind, enforcement = 'enforcing' }: AdapterEntry): 'enforcing' | 'advisory' {
  return ADVISORY_KINDS.has(kind) ? 'advisory' : enforcement;
}

/** The mode that decisions for an adapter are made in. */
export function modeOf({ enforcement: { mode, adapters } }: GateConfig, adapterId: string): Mode {
  return (Object.hasOwn(adapters, adapterId) ? adapters[adapterId] : undefined) ?? mode;
}

/** Whether the configuration says anything to decide by. Without, there is nobody who may ask, and nothing to answer. */
export function isConfigured({ adapters, policy }: GateConfig): boolean {
  return adapters.length > 0 || policy.bundle !== undefined;
}

/** The gate's part of a configuration, which the sections' schemas have checked and completed. */
export function gateConfigOf(config: Config): GateConfig {
  const { api, store, signing, policy, enforcement, adapters, approvers, approvals, evidence, oscal } = config as Config &
    GateConfig & { api: ApiConfig };
  return {
    api,
    store: storeOf(store),
    signing: 'key_env' in signing ? { key_env: signing.key_env } : signing,
    policy,
    enforcement,
    adapters,
    approvers,
    approvals,
    evidence,
    oscal,
  };
}

/** The sections give defaults to the settings of both kinds; those of the other kind mean nothing. */
function storeOf(store: GateConfig['store']): GateConfig['store'] {
  const { replicas } = store;
  const shared = { ...(replicas !== undefined && { replicas }) };
  if (store.kind === 'sqlite') return { kind: 'sqlite', path: store.path, ...shared };
  const { kind, dsn_env, sequence_wait_ms, poll_ms } = store;
  return { kind, dsn_env, sequence_wait_ms, poll_ms, ...shared };
}
