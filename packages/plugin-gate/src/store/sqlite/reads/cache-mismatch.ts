import { isFormat2 } from '../../../approval/index.js';
import { canonical } from '../../../json/index.js';
import type { VerifiedRecord } from '../../verify/record-verifier.js';
import type { History, Mismatches } from './proposal-history.js';
import type { Row } from './row.js';

type Derived = Omit<History, 'mismatches' | 'strayResult'>;

/** Compares the rows of a decision and of its results with their records. What was erased cannot be compared. */
export function decisionMismatches({ proposal, verdict, results }: Derived, row: Row, rows: readonly Row[]): Mismatches {
  const about = `proposal at record ${verdict.record.seq}`;
  const columns = [
    ['reported_by', verdict.header.reported_by],
    ['class', proposal.data?.['class']],
    ['effective_decision', verdict.data?.['effective_decision']],
    ['approval_id', verdict.data === null ? undefined : verdict.data['approval']],
  ] as const;
  const recorded = new Set(results.map(({ record }) => record.record.seq));
  return [
    ...columns.flatMap(([column, said]) =>
      said === undefined || said === row[column] ? [] : [`${about}: ${column} does not match its record`],
    ),
    ...rows.flatMap(({ seq }) => (recorded.has(Number(seq)) ? [] : [`${about}: record ${seq} is not one of its results`])),
    ...results.flatMap(({ record, status, contradictsVerdict }) => {
      const cached = rows.find(({ seq }) => seq === record.record.seq);
      if (cached === undefined) return [`${about}: its result at record ${record.record.seq} is missing in the table`];
      const same = cached.status === status && cached.contradicts_verdict === (contradictsVerdict ? 1 : 0);
      return same ? [] : [`${about}: its result does not match record ${record.record.seq}`];
    }),
  ];
}

/** Compares the rows of an approval with what its records make of it. */
export function approvalMismatches(
  { approval, erased }: Derived,
  { row, events, records }: { row: Row | undefined; events: readonly Row[]; records: readonly VerifiedRecord[] },
): Mismatches {
  if (approval === null) return [];
  const about = `approval ${approval.id}`;
  if (row === undefined) return [`${about}: it is missing in the table`];
  const old = isOldRequest(records);
  // An older version filed the time of the request, which is before that of its record where the clock was set back.
  const sameTime = (cached: unknown, derived: string) => cached === derived || (old && typeof cached === 'string' && cached < derived);
  const same: { [column: string]: boolean } = {
    proposal_id: row.proposal_id === approval.proposalId,
    need: row.need === canonical({ ...approval.need }),
    shadow: row.shadow === (approval.shadow ? 1 : 0),
    input_digest: row.input_digest === approval.inputDigest,
    bundle_digest: row.bundle_digest === approval.bundleDigest,
    requested_at: sameTime(row.requested_at, approval.requestedAt),
    expires_at: sameTime(row.expires_at, approval.expiresAt),
  };
  const known = new Map(records.map(({ record, data }) => [record.seq, data?.['event']]));
  const cached = new Set(events.map(({ seq }) => Number(seq)));
  // What an erased decision said is not known, and of an older one the groups may be configured otherwise now.
  const unclear = erased || (old && (approval.state === 'consumed' || approval.decisions.some(({ groups }) => groups.length === 0)));
  return [
    ...(unclear || row.state === approval.state ? [] : [`${about}: the table says ${row.state}, its records say ${approval.state}`]),
    ...(unclear || row.grant_expires_at === approval.grantExpiresAt ? [] : [`${about}: grant_expires_at does not match its records`]),
    ...Object.entries(same).flatMap(([column, is]) => (is ? [] : [`${about}: ${column} does not match its records`])),
    ...events.flatMap(({ seq, event }) => {
      const said = known.get(Number(seq));
      return known.has(Number(seq)) && (said === undefined || said === event) ? [] : [`${about}: record ${seq} does not say ${event}`];
    }),
    ...[...known.keys()].flatMap((seq) => (cached.has(seq) ? [] : [`${about}: record ${seq} is missing in the table`])),
  ];
}

/** Whether the approval was requested in format 1, whose times an older version has filed. */
function isOldRequest([request]: readonly VerifiedRecord[]): boolean {
  return request?.data == null || !isFormat2(request.data);
}
