/** The format of a chain: its mark, and the faults that a mark lists. */
export { ERASE_ACTION, erasedBy, PROTECTED_ACTIONS, PROTECTED_TYPES } from './erasure-walk.js';
export { type ChainFaults, type FaultWalk, faultsOf, faultWalk } from './faults.js';
export { CURRENT_FORMAT, type Fault, type FaultKind, type Format, MARK_ACTION, MAX_FAULTS, markData, readMark } from './mark.js';
export { type WalkedRecord, walkedRecord } from './walked-record.js';
