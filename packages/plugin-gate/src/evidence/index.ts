/** The evidence chain: records, the tree over them, checkpoints, proofs, verification and exports. No storage. */
export { type Checkpoint, checkpointNote, defaultOrigin, readCheckpoint } from './checkpoint.js';
export { newestCheckpoint, writeCheckpoint } from './checkpoint-files.js';
export { isKeyName, isSignedBy, readVerifierKey, type VerifierKey, verifierKeyText } from './note.js';
export { type ChainHead, type Draft, RECORD_TYPES, type RecordHeader, type RecordType, type StoredRecord } from './record.js';
export { readHeader, recordLine } from './record-line.js';
export { dataHash, NO_HASH, recordHash, SALT_BYTES, sealRecords, signedText } from './seal.js';
export { tlogProof } from './tlog-proof.js';
export { appendLeaf, nodeHash, rootOfFrontier, treeRoot } from './tree.js';
export { consistencyProof, inclusionProof, isConsistent, rootOfInclusion } from './tree-proof.js';
