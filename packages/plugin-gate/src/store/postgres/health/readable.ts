import type { EvidenceStore } from '../../store.js';
import type { Reads } from '../reads/reads.js';
import { storeErrorOf } from '../schema/transaction.js';
import type { Health } from './health.js';

type Readable = 'kind' | 'chainId' | 'proposal' | 'approval' | 'approvals' | 'record' | 'records' | 'head' | 'status';

/** The part of a store that reads: errors of the driver become those of the store. */
export function readable(reads: Reads, health: Health): Pick<EvidenceStore, Readable> {
  const guarded =
    <Args extends unknown[], Value>(read: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      try {
        return await read(...args);
      } catch (error) {
        throw storeErrorOf(error);
      }
    };
  return {
    kind: 'postgres',
    get chainId() {
      return health.head.seen()?.chainId ?? '';
    },
    proposal: guarded(reads.proposal),
    approval: guarded(reads.approval),
    approvals: guarded(reads.approvals),
    record: guarded(reads.record),
    async *records(range) {
      try {
        yield* reads.records(range);
      } catch (error) {
        throw storeErrorOf(error);
      }
    },
    head: guarded(reads.head),
    status: guarded(reads.status),
  };
}
