import type { Clock } from '@bylaw/core/clock';
import type { Log } from '@bylaw/core/log';
import type { AdapterRegistry } from '../../auth/index.js';
import type { GateConfig } from '../../config/index.js';
import type { SignatureMemory } from '../../evidence/index.js';
import type { Json } from '../../json/index.js';
import type { KeyedLimiter } from '../../limits/index.js';
import type { EvidenceStore } from '../../store/index.js';
import type { check, ManifestEvaluator } from '../../verdict/index.js';
import type { Authenticator } from './authenticator.js';
import type { ExportSlots } from './export-slots.js';
import type { Policies } from './policies.js';
import type { RefusalCounts } from './refusal-counts.js';
import type { WorkQueue } from './work-queue.js';

/** A gate at work: what its routes share. */
export interface Gate {
  /** In force at this moment: withdrawals and reloads change it while the gate runs. */
  readonly config: GateConfig;
  /** Digest of the configuration file that was loaded last; null where there is none. */
  readonly configDigest: string | null;
  /** Codes of what is wrong with the configuration file at this moment. */
  readonly configProblems: () => readonly string[];
  readonly dev: boolean;
  /** Of the program. */
  readonly version: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly clock: Clock;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicNow: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly log: Log;
  readonly authenticator: Authenticator;
  /** Of `config`. */
  readonly registry: AdapterRegistry;
  readonly limits: { readonly adapter: KeyedLimiter; readonly principal: KeyedLimiter };
  readonly policies: Policies;
  readonly check: typeof check;
  readonly evaluator: ManifestEvaluator;
  readonly store: EvidenceStore;
  /** Takes the exact secrets of adapters out of what is to be recorded. */
  readonly withoutSecrets: <T extends Json>(value: T) => T;
  /** Whether one of them is in a canonical text. */
  readonly holdsSecret: (canonicalText: string) => boolean;
  /** Decisions and results on their way to the store. */
  readonly queue: WorkQueue;
  readonly exports: ExportSlots;
  /** Signatures that this process has verified. */
  readonly signatures: SignatureMemory;
  /** Size of the last checkpoint that this process wrote. */
  readonly lastCheckpoint: () => number | null;
  readonly refusals: RefusalCounts;
}
