import { isJsonObject, type JsonObject } from '../../json/index.js';
import { recordFacts } from '../export/record-facts.js';
import { type FaultKind, faultWalk } from '../format/index.js';
import { recordSet } from '../format/record-set.js';
import { idTable } from './id-table.js';
import type { ReadRecord } from './parse-record-line.js';
import type { FailureCode, ReadableReport } from './report.js';

/** What records say of each other: decisions whole and once, results after verdicts and one of them final, replicas without holes, erasures explained. */
export interface Semantics {
  next(record: ReadRecord): FailureCode[];
  summary(): Pick<
    ReadableReport,
    'records_by_type' | 'dev_records' | 'erased_records' | 'unexplained_erasures' | 'known_faults' | 'contradictions' | 'bundles'
  > & { secondFinals: number[] };
}

/** Digests that a report lists. */
const MAX_BUNDLES = 1000;

export function semantics(): Semantics {
  const verdicts = idTable();
  const types: ReadableReport['records_by_type'] = {};
  const bundles = new Set<string>();
  const erased = recordSet();
  const faults = faultWalk();
  const replicas = new Map<string, number>();
  let from: number | undefined;
  let devRecords = 0;
  let erasures = 0;
  /** Erased records may have counted for a replica. */
  let unexplainedHoles = 0;
  let contradictions = 0;
  let proposal: { seq: number; id: string | undefined } | undefined;

  const verdictOf = ({ record, data }: ReadRecord, waiting: typeof proposal): FailureCode[] => {
    const facts = recordFacts('verdict', data);
    if (facts.bundleDigest !== undefined && bundles.size < MAX_BUNDLES) bundles.add(facts.bundleDigest);
    const failures: FailureCode[] = [];
    const atStart = record.seq === from;
    const id = data === null ? waiting?.id : facts.proposalId;
    const follows = atStart || (waiting?.seq === record.seq - 1 && (waiting.id === undefined || waiting.id === id));
    const names = data === null || (isJsonObject(data) && data['proposal_seq'] === record.seq - 1 && id !== undefined);
    if (!follows || !names) failures.push('verdict-order');
    if (id !== undefined && verdicts.putIfAbsent(id, record.seq) !== undefined) failures.push('second-verdict');
    return failures;
  };

  const resultOf = ({ record, data }: ReadRecord): FailureCode[] => {
    if (data === null) return [];
    const { proposalId, verdictSeq, contradictsVerdict } = recordFacts('result', data);
    if (contradictsVerdict === true) contradictions++;
    if (proposalId === undefined || verdictSeq === undefined || verdictSeq >= record.seq) return ['result-verdict'];
    const known = verdicts.get(proposalId);
    // The verdict may stand before the range, or be erased together with its proposal.
    const matches = known === undefined ? verdictSeq < (from ?? 0) || erased.has(verdictSeq) : known === verdictSeq;
    return matches ? [] : ['result-verdict'];
  };

  const originOf = (data: JsonObject): FailureCode[] => {
    const origin = data['origin'];
    if (!isJsonObject(origin)) return [];
    const { replica, n } = origin;
    if (typeof replica !== 'string' || !Number.isSafeInteger(n)) return ['origin'];
    const last = replicas.get(replica) ?? (from === 0 ? 0 : Number(n) - 1);
    replicas.set(replica, Number(n));
    const hole = Number(n) - last - 1;
    if (hole < 0 || hole > unexplainedHoles) return ['origin'];
    unexplainedHoles -= hole;
    return [];
  };

  return {
    next(read) {
      const { record, header, data } = read;
      from ??= record.seq;
      types[record.type] = (types[record.type] ?? 0) + 1;
      if (header.dev) devRecords++;
      const failures: FailureCode[] = faults.next({ seq: record.seq, type: record.type, data }) ? [] : ['format'];
      if ((record.seq === 0) !== (record.type === 'genesis')) failures.push('genesis');
      const waiting = proposal;
      proposal = undefined;
      if (waiting !== undefined && record.type !== 'verdict') failures.push('verdict-order');
      if (data === null) {
        erasures++;
        unexplainedHoles++;
        erased.add(record.seq);
      } else if (isJsonObject(data) && record.type !== 'genesis') failures.push(...originOf(data));
      if (record.type === 'proposal') proposal = { seq: record.seq, id: recordFacts('proposal', data).proposalId };
      if (record.type === 'verdict') failures.push(...verdictOf(read, waiting));
      if (record.type === 'result') failures.push(...resultOf(read));
      return failures;
    },
    summary() {
      const { open, known } = faults.faults();
      const ofKind = (kind: FaultKind) => open.filter((fault) => fault.kind === kind).map(({ seq }) => seq);
      return {
        records_by_type: types,
        dev_records: devRecords,
        erased_records: erasures,
        unexplained_erasures: ofKind('unexplained-erasure'),
        known_faults: known,
        contradictions,
        bundles: [...bundles].sort(),
        secondFinals: ofKind('second-final'),
      };
    },
  };
}
