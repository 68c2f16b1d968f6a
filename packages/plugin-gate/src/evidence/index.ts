/** The evidence chain: records, the tree over them, checkpoints, proofs, verification and exports. No storage. */
export { type ChainHead, type Draft, RECORD_TYPES, type RecordHeader, type RecordType, type StoredRecord } from './record.js';
export { readHeader, recordLine } from './record-line.js';
export { dataHash, NO_HASH, recordHash, SALT_BYTES, sealRecords, signedText } from './seal.js';
export { appendLeaf, nodeHash, rootOfFrontier, treeRoot } from './tree.js';
