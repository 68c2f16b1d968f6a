/** The evidence chain: records, the tree over them, checkpoints, proofs, verification and exports. No storage. */
export { type Checkpoint, checkpointNote, defaultOrigin, readCheckpoint } from './checkpoint.js';
export { newestCheckpoint, writeCheckpoint } from './checkpoint-files.js';
export { exportCsv } from './export/csv.js';
export { exportJsonl } from './export/jsonl.js';
export { exportOscal } from './export/oscal.js';
export { type OscalSettings, oscalSettings } from './export/oscal-settings.js';
export { type RangeSurvey, surveyRange } from './export/survey.js';
export {
  type ChainFaults,
  CURRENT_FORMAT,
  ERASE_ACTION,
  erasedBy,
  type Fault,
  type FaultKind,
  type FaultWalk,
  type Format,
  faultsOf,
  faultWalk,
  MARK_ACTION,
  markData,
  PROTECTED_ACTIONS,
  PROTECTED_TYPES,
  type WalkedRecord,
  walkedRecord,
} from './format/index.js';
export { genesisDraft, type RevocationData, type RotationData, revocationData, rotationData, rotationText } from './key-records.js';
export { isKeyName, isSignedBy, readVerifierKey, type VerifierKey, verifierKeyText } from './note.js';
export { type ChainHead, type Draft, RECORD_TYPES, type RecordHeader, type RecordType, type StoredRecord } from './record.js';
export { readHeader, recordLine } from './record-line.js';
export { dataHash, NO_HASH, recordHash, SALT_BYTES, sealRecords, signedText } from './seal.js';
export { reignsOf, type SignatureMemory, signatureMemory } from './signatures/signature-memory.js';
export { appendLeaf, nodeHash, rootOfFrontier, treeRoot } from './tree.js';
export { consistencyProof, inclusionProof, isConsistent, rootOfInclusion, tlogProof } from './tree-proof.js';
export { randomUuid } from './uuid.js';
export { type Anchor, readAnchor } from './verify/anchors.js';
export type { ApproverList, TrustedApprover } from './verify/approvals.js';
export { FAILURES, type Failure, type FailureCode, type ReadableReport, type VerifyReport } from './verify/report.js';
export { type EvidenceFile, evidenceFile, formatOf } from './verify/sources.js';
export { type VerifyOptions, verifyEvidence } from './verify/verify-evidence.js';
