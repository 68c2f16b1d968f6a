import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Environment } from '@bylaw/core/config';

import { describeError } from '@bylaw/core/log';
import type { RunningPlugin, Services, StartOptions } from '@bylaw/core/plugin';
import { type GateConfig, gateConfigOf, usesDevStore } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { signatureMemory } from '../../evidence/index.js';
import type { Json } from '../../json/index.js';
import { adapterLimiter, principalLimiter } from '../../limits/index.js';
import { SAMPLE_BUNDLE } from '../../policy/index.js';
import {
  CHECK_PAUSE_MS,
  type CheckpointWriter,
  type EvidenceStore,
  loadSigningKey,
  openStore,
  type SigningKey,
  StoreError,
  startCheckpoints,
} from '../../store/index.js';
import { check, loadBundle, manifestEvaluator } from '../../verdict/index.js';
import { type LiveConfig, liveConfig } from '../config/live-config.js';
import { type Revocation, startRevocation } from '../config/revocation.js';
import { every } from '../config/schedule.js';
import { expireAll } from '../gate/approval-expiry.js';
import { type Authenticator, devAuthenticator, signatureAuthenticator } from '../gate/authenticator.js';
import { exportSlots } from '../gate/export-slots.js';
import type { Gate } from '../gate/gate.js';
import { createPolicies, NO_BUNDLE, type Policies } from '../gate/policies.js';
import { refusalCounts } from '../gate/refusal-counts.js';
import { keepGate } from '../gate/running-gates.js';
import { workQueue } from '../gate/work-queue.js';
import { recordLoad } from './config-load.js';
import { openDevStore } from './dev-store.js';
import { readiness } from './readiness.js';

/** What the gate takes from outside. */
export interface Edges {
  env: Environment;
  random: (bytes: number) => Uint8Array;
  /** Milliseconds of a clock that never goes back. */
  monotonicNow: () => number;
  /** How long the check of the store pauses between two passes, in milliseconds; absent: the store is not checked. */
  checkPauseMs?: number;
  /** Ends the process when what the disk holds is not known any more. */
  die: (error: Error) => void;
}

export const SYSTEM: Edges = {
  env: process.env,
  random: randomBytes,
  monotonicNow: () => performance.now(),
  checkPauseMs: CHECK_PAUSE_MS,
  die: () => process.exit(4),
};

/**
 * Brings a gate to work: opens its store, loads its policies, and records what it decides by. Without a key or without policies
 * it starts all the same, decides nothing, and says so in `readiness`.
 * @throws {BylawError} AG-EVD-002, AG-EVD-004 when the store cannot be opened
 */
export async function startGate(
  services: Services,
  how: StartOptions,
  edges: Edges = SYSTEM,
): Promise<{ gate: Gate; running: RunningPlugin }> {
  const { log, clock, configFile } = services;
  const config = gateConfigOf(services.config);
  const live = liveConfig(config, configFile?.digest ?? null, edges.env);
  const policies = createPolicies(() => readBundle(live.config, services, how), log);
  await policies.load();
  // A store that had to wait for its database tells later, when the gate is at work.
  const late = { opened: () => {} };
  const { store, key } = await openEvidence(config, services, how, edges, () => late.opened());
  const checkpoints = checkpointsOf(config, services, how, store, key);
  const revocation = await startRevocation({ live, store, file: configFile, clock, dev: how.dev, log });
  const gate = assemble(live, services, how, edges, { store, policies, revocation, lastCheckpoint: () => checkpoints?.last() ?? null });
  const failed = (what: string) => (error: unknown) => log.error(describeError(error), what);
  keepGate(services, gate);
  late.opened = () => void recordLoad(gate, 'start').catch(failed('the start could not be recorded'));
  await recordLoad(gate, 'start').catch(failed('the start could not be recorded'));
  const sweep = every(config.approvals.sweep_seconds, () => expireAll(gate), failed('expired approvals could not be checked'));
  const stopCheck = checkLater(store, edges.checkPauseMs);
  return {
    gate,
    running: {
      ready: () => readiness(gate),
      notices: noticesOf(gate),
      reload: async () => {
        await revocation.reload();
        await policies.load();
        await recordLoad(gate, 'reload');
      },
      stop: async () => {
        stopCheck();
        await sweep.stop();
        await revocation.stop();
        await gate.signatures.stop();
        await checkpoints?.stop();
        await store.close();
      },
    },
  };
}

/** Until then the processors are the start's, and the first requests'. */
const CHECK_DELAY_MS = 1000;

/** @returns what keeps it from beginning */
function checkLater(store: EvidenceStore, pauseMs: number | undefined): () => void {
  if (pauseMs === undefined) return () => undefined;
  const timer = setTimeout(() => store.startCheck?.(pauseMs), Math.min(CHECK_DELAY_MS, pauseMs)).unref();
  return () => clearTimeout(timer);
}

/** Dev mode works without any configuration, so that the first minute does. */
async function readBundle({ policy }: GateConfig, { paths }: Services, { dev }: StartOptions) {
  if (policy.bundle !== undefined) return loadBundle(resolve(paths.base, policy.bundle));
  return dev ? loadBundle(SAMPLE_BUNDLE) : NO_BUNDLE;
}

async function openEvidence(
  config: GateConfig,
  { paths, clock, log }: Services,
  { dev, acceptRollback }: StartOptions,
  { env, random, die }: Edges,
  onOpen: () => void,
): Promise<{ store: EvidenceStore; key: SigningKey }> {
  const onFatal = (error: Error) => {
    log.error(describeError(error), 'the evidence store failed permanently');
    die(error);
  };
  const onMismatch = (message: string) => log.error({ code: 'AG-EVD-008' }, message);
  const shared = { config, base: paths.base, env, clock, role: 'server', dev, random, acceptRollback, onFatal, onMismatch } as const;
  try {
    if (dev && usesDevStore(config)) return await openDevStore(shared);
    const key = loadSigningKey(config.signing, shared);
    if ('problem' in key) log.error({ code: 'AG-EVD-001', hint: key.hint }, key.problem);
    const waiting = {
      onWait: (error: StoreError) => log.warn(describeError(error), 'the database cannot be reached; the gate waits for it'),
      onOpen: () => {
        log.info({}, 'the database can be reached; the gate is at work');
        onOpen();
      },
    };
    return { store: await openStore({ ...shared, key, waiting }), key };
  } catch (error) {
    throw error instanceof StoreError ? gateError(error.code, error.message, { cause: error }) : error;
  }
}

/** What dev mode records is worth no anchor. */
function checkpointsOf(
  { evidence }: GateConfig,
  { paths, log }: Services,
  { dev }: StartOptions,
  store: EvidenceStore,
  key: SigningKey,
): CheckpointWriter | undefined {
  if (dev || 'problem' in key) return undefined;
  return startCheckpoints({
    store,
    signer: key.signer,
    origin: evidence.origin,
    dir: resolve(paths.base, evidence.checkpoint_dir),
    seconds: evidence.checkpoint_seconds,
    onError: (error) => log.error(describeError(error), 'a checkpoint could not be written'),
  });
}

function assemble(
  live: LiveConfig,
  services: Services,
  { dev, version }: StartOptions,
  { random, monotonicNow }: Edges,
  { revocation, ...parts }: { store: EvidenceStore; policies: Policies; revocation: Revocation; lastCheckpoint: Gate['lastCheckpoint'] },
): Gate {
  const { clock, log } = services;
  const { api } = live.config;
  const startedAt = clock.now().toISOString();
  const authenticator: Authenticator = dev
    ? devAuthenticator()
    : signatureAuthenticator(
        () => live.registry,
        api.max_clock_skew_seconds,
        () => clock.now().getTime(),
      );
  return {
    ...parts,
    get config() {
      return live.config;
    },
    get registry() {
      return live.registry;
    },
    get configDigest() {
      return live.digest;
    },
    configProblems: revocation.problems,
    dev,
    version,
    startedAt,
    clock,
    monotonicNow,
    random,
    log,
    authenticator: authenticator,
    limits: {
      adapter: adapterLimiter(api.rate_limit.per_adapter_rps, monotonicNow),
      principal: principalLimiter(api.rate_limit.per_principal_rps, monotonicNow),
    },
    check,
    evaluator: manifestEvaluator(services),
    // Only texts are replaced, so it keeps its form.
    withoutSecrets: <T extends Json>(value: T) => live.withoutSecrets(value) as T,
    holdsSecret: (text) => live.holdsSecret(text),
    queue: workQueue(api.queue_limit, 'decisions'),
    exports: exportSlots(api.export_concurrency),
    signatures: signatureMemory(),
    refusals: refusalCounts(startedAt),
  };
}

function noticesOf({ dev, config: { enforcement } }: Gate): string[] {
  const shadowed = Object.entries(enforcement.adapters).flatMap(([adapter, mode]) => (mode === 'shadow' ? [adapter] : []));
  return [
    ...(dev
      ? ['WARNING: dev mode: signatures are not checked, and every record is marked as dev. Use it only for experiments on this machine.']
      : []),
    ...(enforcement.mode === 'shadow' ? ['Shadow mode: verdicts are recorded, and every adapter is told to proceed.'] : []),
    ...(enforcement.mode === 'enforcing' && shadowed.length > 0 ? [`Shadow mode for: ${shadowed.join(', ')}.`] : []),
  ];
}
