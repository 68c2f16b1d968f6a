import { isJsonObject, type Json } from '../../json/index.js';
import type { RecordType } from '../record.js';
import type { Format } from './mark.js';
import { type RecordSet, recordSet } from './record-set.js';
import type { WalkedRecord } from './walked-record.js';

/** `data.action` of the record that names an erased one. */
export const ERASE_ACTION = 'evidence.erase';

/**
 * Whether the data of records of a type may be erased. Genesis and key records say how the chain is verified; acts of
 * administrators include those that explain erasures, and the mark of the format. Format 1 allowed acts to be erased.
 */
export function isErasable(type: RecordType, format: Format): boolean {
  return type !== 'genesis' && type !== 'key' && (type !== 'admin_action' || format === 1);
}

/**
 * Finds erased records that no later act names. Acts are never erased in format 2, so there only an act of format 1 can explain
 * why an act of format 1 is erased.
 */
export interface ErasureWalk {
  /**
   * @param format in force for the record
   * @returns false when the record is erased and its type must never be
   */
  next(record: WalkedRecord, format: Format): boolean;
  /** Numbers of the records that may be erased, are, and are not named, ascending. */
  unexplained(): number[];
}

export function erasureWalk(): ErasureWalk {
  const erased = recordSet();
  const erasedActs = recordSet();
  const named = recordSet();

  const erasedRecord = ({ seq, type }: WalkedRecord, format: Format): boolean => {
    if (!isErasable(type, format)) return false;
    (type === 'admin_action' ? erasedActs : erased).add(seq);
    return true;
  };
  const withNames = (set: RecordSet) => set.values().filter((seq) => !named.has(seq));

  return {
    next(record, format) {
      if (record.data === null) return erasedRecord(record, format);
      const seq = record.type === 'admin_action' ? erasedBy(record.data) : undefined;
      // What is not recorded yet cannot have been erased.
      if (seq !== undefined && seq < record.seq && (format === 1 || !erasedActs.has(seq))) named.add(seq);
      return true;
    },
    unexplained: () => [...withNames(erased), ...withNames(erasedActs)].sort((a, b) => a - b),
  };
}

/** Number of the record that an act says it has erased; undefined for any other act. */
export function erasedBy(data: Json): number | undefined {
  if (!isJsonObject(data) || data['action'] !== ERASE_ACTION) return undefined;
  const { seq } = data;
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : undefined;
}
