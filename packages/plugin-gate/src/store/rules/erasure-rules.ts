import { erasedBy, PROTECTED_ACTIONS, PROTECTED_TYPES, type RecordType } from '../../evidence/index.js';
import type { AdminUnit } from '../store.js';

/**
 * Why the data of a record cannot be erased; undefined when it can.
 * @param record undefined: there is none with that number. `data` is its text, null once it is erased
 */
export function refusedErasure(seq: number, record: { type: RecordType; data: string | null } | undefined): string | undefined {
  if (record === undefined) return `Record ${seq} does not exist.`;
  if (PROTECTED_TYPES.includes(record.type)) return `Record ${seq} holds a key, and the chain cannot be verified without it.`;
  if (record.data === null) return `Record ${seq} is already erased.`;
  if (record.type === 'admin_action' && PROTECTED_ACTIONS.includes(JSON.parse(record.data).action))
    return `Record ${seq} explains an erasure or marks the format of the chain. Such records are never erased.`;
  return undefined;
}

/** @throws {Error} when the act does not name the record, so that nothing would explain the erasure */
export function requireName({ type, data }: AdminUnit, seq: number): void {
  if (type !== 'admin_action' || erasedBy(data) !== seq) throw new Error('The act of an erasure must name the erased record.');
}
