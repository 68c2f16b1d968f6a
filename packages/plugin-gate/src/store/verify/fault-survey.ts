import { plural } from '@bylaw/core/plural';
import { type Fault, type FaultKind, faultWalk, type StoredRecord, type WalkedRecord, walkedRecord } from '../../evidence/index.js';

/** What `store doctor` says of a chain as a whole. */
export interface FaultFinding {
  name: 'format' | 'finals' | 'erasures';
  /** What was found when all is well, one sentence. */
  message: string;
  faults: string[];
}

/** Follows a whole chain, and says of which format it is, and whether results are final once and erasures are explained. */
export interface FaultSurvey {
  next(record: StoredRecord): void;
  /** Faults that the mark of the format lists are known, and no reason to fail. */
  findings(): FaultFinding[];
}

export function faultSurvey(): FaultSurvey {
  const walk = faultWalk();
  const misfits: number[] = [];
  return {
    next(record) {
      if (!walk.next(parsed(record))) misfits.push(record.seq);
    },
    findings() {
      const { open, known } = walk.faults();
      const said = (seqs: readonly number[], fault: string) => seqs.map((seq) => `record ${seq}: ${fault}`);
      return [
        {
          name: 'format',
          message: `The chain has format ${walk.format()}.`,
          faults: shortened(said(misfits, 'it states a format that does not fit the chain')),
        },
        {
          name: 'finals',
          message: `No proposal has a second final result${except(known, 'second-final')}.`,
          faults: shortened(said(ofKind(open, 'second-final'), 'its proposal already had a final result')),
        },
        {
          name: 'erasures',
          message: `A record explains each erasure${except(known, 'unexplained-erasure')}.`,
          faults: shortened([
            ...said(ofKind(open, 'unexplained-erasure'), 'it was erased, and no later record says so'),
            ...said(walk.kept(), 'its erasure is recorded, but it has its data'),
          ]),
        },
      ];
    },
  };
}

/** What cannot be parsed was changed, which the hash of the record shows. */
function parsed(record: StoredRecord): WalkedRecord {
  try {
    return walkedRecord(record);
  } catch {
    return { seq: record.seq, type: record.type, data: {} };
  }
}

function ofKind(faults: readonly Fault[], kind: FaultKind): number[] {
  return faults.filter((fault) => fault.kind === kind).map(({ seq }) => seq);
}

function except(known: readonly Fault[], kind: FaultKind): string {
  const seqs = shortened(ofKind(known, kind).map(String));
  if (seqs.length === 0) return '';
  return `, except ${plural(ofKind(known, kind).length, 'known fault')} of an earlier version (${seqs.join(', ')})`;
}

/** Faults that are listed; the last line says how many more there are. */
const MOST_FAULTS = 20;

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - MOST_FAULTS;
  return more > 0 ? [...lines.slice(0, MOST_FAULTS), `and ${more} more`] : [...lines];
}
