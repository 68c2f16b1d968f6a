import { isJsonObject, type Json } from '../../json/index.js';
import type { RecordType } from '../record.js';
import { MARK_ACTION } from './mark.js';
import { recordSet } from './record-set.js';
import type { WalkedRecord } from './walked-record.js';

/** `data.action` of the record that names an erased one. */
export const ERASE_ACTION = 'evidence.erase';

/** Acts that are never erased: those that explain an erasure, and the mark of the format. */
export const PROTECTED_ACTIONS: readonly string[] = [ERASE_ACTION, MARK_ACTION];

/** Types that are never erased: they say how the chain is verified. */
export const PROTECTED_TYPES: readonly RecordType[] = ['genesis', 'key'];

/**
 * Finds erased records that no later act names. An act that was erased itself names nothing, so what it explained is found, too.
 * No act explains a genesis or key record that is erased.
 */
export interface ErasureWalk {
  next(record: WalkedRecord): void;
  /** Numbers of the records, ascending. */
  unexplained(): number[];
  /** Numbers of the records that an act says it has erased, and that have their data, ascending. Exports from before an erasure have such. */
  kept(): number[];
}

export function erasureWalk(): ErasureWalk {
  const erased = recordSet();
  const named = recordSet();
  const neverErased = recordSet();
  return {
    next(record) {
      if (PROTECTED_TYPES.includes(record.type)) neverErased.add(record.seq);
      if (record.data === null) erased.add(record.seq);
      const seq = record.type === 'admin_action' ? erasedBy(record.data) : undefined;
      // What is not recorded yet cannot have been erased.
      if (seq !== undefined && seq < record.seq) named.add(seq);
    },
    kept: () => named.values().filter((seq) => !erased.has(seq)),
    unexplained: () => erased.values().filter((seq) => !named.has(seq) || neverErased.has(seq)),
  };
}

/** Number of the record that an act says it has erased; undefined for any other act. */
export function erasedBy(data: Json): number | undefined {
  if (!isJsonObject(data) || data['action'] !== ERASE_ACTION) return undefined;
  const { seq } = data;
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : undefined;
}
