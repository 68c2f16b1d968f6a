import { isJsonObject } from '../../json/index.js';
import { idTable } from '../id-table.js';
import type { WalkedRecord } from './walked-record.js';

/** Finds final results of proposals that have one already. A result that is erased says neither its proposal nor its status. */
export interface FinalWalk {
  next(record: WalkedRecord): void;
  /** Numbers of the records, ascending. */
  seconds(): readonly number[];
}

export function finalWalk(): FinalWalk {
  const finals = idTable();
  const seconds: number[] = [];
  return {
    next({ seq, type, data }) {
      if (type !== 'result' || !isJsonObject(data)) return;
      const { proposal_id: id, status } = data;
      if (typeof id !== 'string' || typeof status !== 'string' || status === 'deferred') return;
      if (finals.putIfAbsent(id, seq) !== undefined) seconds.push(seq);
    },
    seconds: () => seconds,
  };
}
