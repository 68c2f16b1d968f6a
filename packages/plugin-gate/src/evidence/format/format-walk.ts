import { isJsonObject } from '../../json/index.js';
import { CURRENT_FORMAT, type Fault, type FaultKind, type Format, readMark } from './mark.js';
import { type RecordSet, recordSet } from './record-set.js';
import type { WalkedRecord } from './walked-record.js';

/** Follows the format of a chain, and keeps what its mark lists. */
export interface FormatWalk {
  /** @returns false when the record says of the format what cannot be: a broken mark, a second one, or a format that is not known */
  next(record: WalkedRecord): boolean;
  /** In force for the next record. 1 while nothing says otherwise, as in a range that begins after the mark. */
  format(): Format;
  lists(fault: Fault): boolean;
}

export function formatWalk(): FormatWalk {
  const listed: { [Kind in FaultKind]: RecordSet } = { 'second-final': recordSet(), 'unexplained-erasure': recordSet() };
  let format: Format = 1;
  /** The part that the next record must follow with its own. */
  let open: { seq: number; part: number; parts: number } | undefined;
  let first = true;

  const mark = (record: WalkedRecord, begins: boolean): boolean => {
    const before = open;
    open = undefined;
    const read = record.type === 'admin_action' ? readMark(record.data, record.seq) : undefined;
    if (read === undefined) return before === undefined;
    if (read === 'malformed' || format === CURRENT_FORMAT) return false;
    const { part, parts, faults } = read;
    const follows =
      before === undefined ? part === 1 || begins : record.seq === before.seq + 1 && part === before.part + 1 && parts === before.parts;
    if (!follows) return false;
    for (const { kind, seq } of faults) listed[kind].add(seq);
    if (part === parts) format = CURRENT_FORMAT;
    else open = { seq: record.seq, part, parts };
    return true;
  };

  return {
    next(record) {
      const begins = first;
      first = false;
      if (record.type !== 'genesis') return mark(record, begins);
      const stated = isJsonObject(record.data) ? record.data['format'] : undefined;
      if (stated === CURRENT_FORMAT) format = CURRENT_FORMAT;
      return stated === undefined || stated === CURRENT_FORMAT;
    },
    format: () => format,
    lists: ({ kind, seq }) => listed[kind].has(seq),
  };
}
