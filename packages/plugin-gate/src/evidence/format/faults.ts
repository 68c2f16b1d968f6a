import type { StoredRecord } from '../record.js';
import { erasureWalk } from './erasure-walk.js';
import { finalWalk } from './final-walk.js';
import { formatWalk } from './format-walk.js';
import type { Fault, Format } from './mark.js';
import { type WalkedRecord, walkedRecord } from './walked-record.js';

/** Follows a chain, or a range of it, and finds what is wrong with it as a whole. Memory: about 24 bytes for each result. */
export interface FaultWalk {
  /** @returns false when the record says of the format what cannot be: see `FormatWalk` */
  next(record: WalkedRecord): boolean;
  /** The format in force for the next record. */
  format(): Format;
  /**
   * All faults so far, by number. `known`: those that the mark lists. Only at the end of the chain it is certain that an erasure
   * stays unexplained: the act that names it comes later than the record.
   */
  faults(): { open: Fault[]; known: Fault[] };
  /** See `ErasureWalk`. */
  kept(): number[];
}

export function faultWalk(): FaultWalk {
  const formats = formatWalk();
  const finals = finalWalk();
  const erasures = erasureWalk();
  return {
    next(record) {
      finals.next(record);
      erasures.next(record);
      return formats.next(record);
    },
    format: formats.format,
    kept: erasures.kept,
    faults() {
      const all: Fault[] = [
        ...finals.seconds().map((seq) => ({ kind: 'second-final', seq }) as const),
        ...erasures.unexplained().map((seq) => ({ kind: 'unexplained-erasure', seq }) as const),
      ].sort((a, b) => a.seq - b.seq);
      return { open: all.filter((fault) => !formats.lists(fault)), known: all.filter(formats.lists) };
    },
  };
}

/** What a mark must say of a whole chain. */
export interface ChainFaults {
  /** 2: the chain has its mark, or was begun with the format. It must not get a mark. */
  format: Format;
  /** Faults that no mark lists, by number. */
  faults: Fault[];
}

/**
 * Looks for faults in all records of a chain, in their order.
 * @param batches all records, from genesis to the head
 */
export async function faultsOf(batches: Iterable<readonly StoredRecord[]> | AsyncIterable<readonly StoredRecord[]>): Promise<ChainFaults> {
  const walk = faultWalk();
  for await (const batch of batches) for (const record of batch) walk.next(walkedRecord(record));
  return { format: walk.format(), faults: walk.faults().open };
}
