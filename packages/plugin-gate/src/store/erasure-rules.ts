import { CURRENT_FORMAT, erasedBy, isErasable, type RecordType } from '../evidence/index.js';
import type { AdminUnit } from './store.js';

/**
 * Why the data of a record cannot be erased; undefined when it can.
 * @param record undefined: there is none with that number. `data` is null once it is erased
 */
export function refusedErasure(seq: number, record: { type: RecordType; data: unknown } | undefined): string | undefined {
  if (record === undefined) return `Record ${seq} does not exist.`;
  if (record.type === 'genesis' || record.type === 'key') return `Record ${seq} holds a key, and the chain cannot be verified without it.`;
  if (!isErasable(record.type, CURRENT_FORMAT))
    return `Record ${seq} says what an administrator did. Such records explain erasures and are never erased.`;
  return record.data === null ? `Record ${seq} is already erased.` : undefined;
}

/** @throws {Error} when the act does not name the record, so that nothing would explain the erasure */
export function requireName({ type, data }: AdminUnit, seq: number): void {
  if (type !== 'admin_action' || erasedBy(data) !== seq) throw new Error('The act of an erasure must name the erased record.');
}
