import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Clock } from '@bylaw/core/clock';
import type { GateConfig } from '../config/index.js';
import { loadSigningKey, type SigningKey } from './signing-key.js';
import { openSqliteStore } from './sqlite/index.js';
import { type EvidenceStore, StoreError } from './store.js';
import type { StoreOptions, Timer } from './store-options.js';

export interface OpenStoreOptions {
  config: Pick<GateConfig, 'store' | 'signing' | 'evidence'> & Partial<Pick<GateConfig, 'approvers'>>;
  /** Folder that relative paths of the configuration start at. */
  base: string;
  env: { readonly [name: string]: string | undefined };
  clock: Clock;
  role: StoreOptions['role'];
  /** Marks what opening records, and compares with no checkpoints: those in the folder are of another chain. */
  dev?: boolean;
  /** Instead of the configured key: that of dev mode. */
  key?: SigningKey;
  /** `reported_by` of what opening records. Absent: `system`. */
  reportedBy?: string;
  acceptRollback?: boolean;
  onFatal?: (error: Error) => void;
  /** Absent: a database that cannot be reached is an error. Else the store waits for it, and tells. */
  waiting?: { onWait: (error: StoreError) => void; onOpen: () => void };
  /** Is told of what the tables of the store say otherwise than its records, and of records that cannot be verified. */
  onMismatch?: (message: string) => void;
  /** Absent: the system's. */
  random?: (bytes: number) => Uint8Array;
  timer?: Timer;
}

/**
 * Opens the evidence store that the configuration names. What keeps it from recording, a missing key for one, is not an error but
 * one of its `problems()`.
 * @throws {StoreError} when it cannot even be read
 */
export async function openStore(options: OpenStoreOptions): Promise<EvidenceStore> {
  const {
    config,
    base,
    clock,
    role,
    dev = false,
    reportedBy = 'system',
    acceptRollback,
    onFatal,
    onMismatch,
    random = randomBytes,
    timer,
  } = options;
  const key = options.key ?? loadSigningKey(config.signing, options);
  const checkpointDir = dev ? undefined : resolve(base, config.evidence.checkpoint_dir);
  const { origin } = config.evidence;
  const approvers = config.approvers?.map(({ id, groups }) => ({ id, groups }));
  const common = { role, key, clock, random, dev, reportedBy, origin, checkpointDir, acceptRollback, approvers };
  if (config.store.kind === 'postgres') {
    const { dsn_env: variable, sequence_wait_ms: sequenceWaitMs, poll_ms: pollMs } = config.store;
    const dsn = options.env[variable];
    if (!dsn)
      throw new StoreError(
        'AG-EVD-002',
        `The environment variable ${variable} is not set. It must hold the connection string of the store.`,
      );
    // Its driver is loaded only where it is used.
    const { openPostgresStore, openWhenThere } = await import('./postgres/index.js');
    const open = () => openPostgresStore({ ...common, dsn, replica: hostname(), sequenceWaitMs, pollMs, onMismatch });
    return options.waiting === undefined ? open() : openWhenThere(open, options.waiting);
  }
  const path = resolve(base, config.store.path);
  return openSqliteStore({ ...common, path, onFatal, onMismatch, timer });
}
