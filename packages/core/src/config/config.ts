import type { ConfiguredException } from '../evaluate/exceptions/exceptions.js';
import type { ExceptionsFrom } from '../evaluate/exceptions/exceptions-from.js';
import type { UndecidedHandling } from '../evaluate/findings/undecided-check.js';
import type { LogFormat, LogLevel } from '../log-levels.js';
import type { JsonObject } from '../resource/text/json.js';
import type { Severity } from '../rule/rule.js';
import type { Place } from '../workload/index.js';

/** The configuration that is in force: `bylaw.yaml` with flags, environment and defaults applied. Paths are absolute. */
export interface Config {
  api: ApiConfig;
  evaluate: EvaluateConfig;
  exceptions: ConfiguredException[];
  /** Settings of rule packs as given; `resolveSettings` of the rule floor adds their defaults. */
  packs: { [pack: string]: JsonObject };
  /** Short names of the installed plugins to use; absent = all. */
  plugins?: string[];
  /** Where what the configuration makes run will run. */
  workloads: Place;
  scores: { path?: string; keep_days?: number; keep_runs?: number };
  log: { level: LogLevel; format: LogFormat };
  /** The sections of plugins, which their own schemas describe. */
  [section: string]: unknown;
}

export interface ApiConfig {
  host: string;
  port: number;
  problems_url: string;
  /** Names and SHA-256 digests (lower-case hex) of the keys that are let in. */
  keys: { id: string; sha256: string }[];
  max_body_bytes: number;
  open_paths: string[];
  /** How long an idle connection is kept. */
  idle_seconds: number;
  /** File of the authorities of client certificates, PEM. */
  client_ca?: string;
  /** What plugins add to this shared section. */
  [setting: string]: unknown;
}

export interface EvaluateConfig {
  /** `NONE` never fails. */
  fail_on: Severity | 'NONE';
  categories?: string[];
  severities?: Severity[];
  rules?: string[];
  exclude_rules: string[];
  frameworks?: string[];
  rule_dirs: string[];
  exceptions: ExceptionsFrom;
  /** What is done about checks that cannot be decided. */
  undecided: UndecidedHandling;
  baseline?: string;
  namespace: string;
}
