import { isJsonObject } from '../../json/index.js';
import { recordFacts } from '../export/record-facts.js';
import { type FaultKind, faultWalk } from '../format/index.js';
import { recordSet } from '../format/record-set.js';
import { idTable } from '../id-table.js';
import { type ApproverList, approvalWalk } from './approvals.js';
import { originWalk } from './origins.js';
import type { ReadRecord } from './parse-record-line.js';
import type { FailureCode, ReadableReport } from './report.js';

/** What records say of each other: decisions whole and once, results after verdicts and one of them final, replicas without holes, erasures explained. */
export interface Semantics {
  /** @param chainId null while it is not known */
  next(record: ReadRecord, chainId: string | null): FailureCode[];
  summary(): Pick<
    ReadableReport,
    | 'records_by_type'
    | 'dev_records'
    | 'erased_records'
    | 'unexplained_erasures'
    | 'known_faults'
    | 'contradictions'
    | 'approver_decisions'
    | 'bundles'
  > & { secondFinals: number[]; missingEntries: number[] };
}

/** Digests that a report lists. */
const MAX_BUNDLES = 1000;

/** @param approvers decisions on approvals are held against them, if they are given */
export function semantics(approvers?: ApproverList): Semantics {
  const verdicts = idTable();
  const types: ReadableReport['records_by_type'] = {};
  const bundles = new Set<string>();
  const erased = recordSet();
  const faults = faultWalk();
  const origins = originWalk();
  const approvals = approvalWalk(approvers);
  let from: number | undefined;
  let devRecords = 0;
  let erasures = 0;
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
    // The verdict may come before the range, or be erased together with its proposal.
    const matches = known === undefined ? verdictSeq < (from ?? 0) || erased.has(verdictSeq) : known === verdictSeq;
    return matches ? [] : ['result-verdict'];
  };

  return {
    next(read, chainId) {
      const { record, header, data } = read;
      const format = faults.format();
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
        erased.add(record.seq);
      }
      if (!origins.next({ seq: record.seq, data })) failures.push('origin');
      if (record.type === 'proposal') proposal = { seq: record.seq, id: recordFacts('proposal', data).proposalId };
      if (record.type === 'verdict') failures.push(...verdictOf(read, waiting));
      if (record.type === 'result') failures.push(...resultOf(read));
      failures.push(...approvals.next(read, chainId, format));
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
        approver_decisions: approvals.summary(),
        bundles: [...bundles].sort(),
        secondFinals: ofKind('second-final'),
        missingEntries: origins.missing(),
      };
    },
  };
}
