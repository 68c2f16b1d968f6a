/** Where evidence is kept, and how it is opened. Which storage is behind it, nobody above needs to know. */
export { type CheckpointOptions, type CheckpointWriter, startCheckpoints } from './checkpoints.js';
export { type OpenStoreOptions, openStore } from './open-store.js';
export { CHECK_PAUSE_MS, type CheckState } from './rolling-check.js';
export { loadSigningKey, type SigningKey } from './signing-key.js';
export { type Check, inspectStore } from './sqlite/index.js';
export {
  type AdminUnit,
  type ApprovalState,
  type ApprovalUnit,
  type DecisionUnit,
  type EvidenceStore,
  type ProposalData,
  type Recorded,
  type ReportOutcome,
  type ResultUnit,
  type StoredApproval,
  type StoredProposal,
  type StoredResult,
  StoreError,
  UnverifiedError,
  type VerdictData,
} from './store.js';
export { systemTimer, type Timer } from './store-options.js';
