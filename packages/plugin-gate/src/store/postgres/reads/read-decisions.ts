import type { Draft } from '../../../evidence/index.js';
import type { AdapterClass, ResultStatus } from '../../../proposal/proposal.js';
import type { Decision as Decided } from '../../../verdict/verdict.js';
import type { ProposalData, StoredProposal, VerdictData } from '../../store.js';
import { QUARANTINED, SCHEMA } from '../database/names.js';
import type { Queries } from '../database/queries.js';
import { altered, type Proofs, type RecordRow, recordAt, type WaitingRow, waitingAt } from '../seal/proofs.js';
import type { HistoryRecord } from './read-history.js';

/** A decision as it is signed. */
export interface SignedDecision extends Omit<StoredProposal, 'approval' | 'results'> {
  id: string;
  class: AdapterClass;
  effectiveDecision: Decided;
  /** Of an approval, while the decision waits for its numbers. */
  request: Draft | undefined;
}

/**
 * Reads decisions: from the chain, or from the outbox while they wait for their numbers.
 * @returns those that there are; one that an operator has dropped is not
 * @throws {StoreError} AG-EVD-004 when one was altered, exchanged for another, or taken away: nobody must act on it
 */
export async function readDecisions(client: Queries, ids: readonly string[], proofs: Proofs): Promise<SignedDecision[]> {
  // One statement sees one snapshot: a decision is in the outbox, or in the chain.
  const { rows } = await client.query<DecisionRow>(
    `SELECT p.id, p.oid, p.reported_by, p.class, p.effective_decision, o.kind, o.proposal_id, ${waitingAt('o')} AS waiting,
       ${recordAt('verdict')} AS verdict, ${recordAt('proposal')} AS proposal,
       EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.oid = p.oid AND q.resolution = 'dropped' AND o.seq = ${QUARANTINED}) AS dropped
     FROM ${SCHEMA}.proposal_ids p LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid
       LEFT JOIN ${SCHEMA}.evidence verdict ON verdict.seq = coalesce(p.seq, o.seq)
       LEFT JOIN ${SCHEMA}.evidence proposal ON proposal.seq = coalesce(p.seq, o.seq) - 1
     WHERE p.id = ANY($1)`,
    [ids],
  );
  return Promise.all(rows.filter(({ dropped }) => !dropped).map((row) => decisionOf(row, proofs)));
}

interface DecisionRow {
  id: string;
  /** Null: it was decided in an embedded store. */
  oid: string | null;
  reported_by: string;
  class: AdapterClass;
  effective_decision: Decided;
  kind: string | null;
  proposal_id: string | null;
  waiting: WaitingRow | null;
  verdict: RecordRow | null;
  proposal: RecordRow | null;
  dropped: boolean;
}

async function decisionOf(row: DecisionRow, proofs: Proofs): Promise<SignedDecision> {
  const { id, oid, kind, proposal_id, waiting, verdict, proposal } = row;
  if (oid !== null && (kind !== 'decision' || proposal_id !== id)) throw altered('The reference of a decision names another row.');
  if (verdict !== null && proposal !== null) {
    const signed = await Promise.all([
      proofs.record(proposal, { type: 'proposal', oid }),
      proofs.record(verdict, { type: 'verdict', oid }),
    ]);
    return made(row, oid ?? String(verdict.seq), [proposal.seq, verdict.seq], signed);
  }
  if (oid === null || waiting === null) throw altered('A decision is missing.');
  const content = await proofs.content(waiting, 'decision');
  if (content.proposal_id !== id) throw altered('The reference of a decision names another row.');
  const [first, second, request] = content.drafts;
  if (first === undefined || second === undefined) throw altered('A decision is not whole.');
  return { ...made(row, oid, [0, 0], [first, second]), request };
}

type Said = Pick<SignedDecision['recorded'], 'time'> & { data: string | null; reportedBy: string; dev: boolean };

function made(row: DecisionRow, ref: string, seq: [number, number], [proposed, decided]: [Said, Said]): SignedDecision {
  // What the writer puts into records of these types.
  const proposal = parsed<ProposalData>(proposed.data);
  const verdict = parsed<VerdictData>(decided.data);
  if ((verdict?.proposal_id ?? row.id) !== row.id || (proposal?.proposal.id ?? row.id) !== row.id)
    throw altered('The reference of a decision names another decision.');
  return {
    id: row.id,
    recorded: { ref, seq, time: decided.time },
    reportedBy: decided.reportedBy,
    dev: decided.dev,
    proposal,
    verdict,
    // Of what is erased only the table still says it, which nobody can change.
    class: proposal?.class ?? row.class,
    effectiveDecision: verdict?.effective_decision ?? row.effective_decision,
    request: undefined,
  };
}

/** @typeParam Data what the writer puts into a record of this type */
function parsed<Data>(text: string | null): Data | null {
  return text === null ? null : (JSON.parse(text) as Data);
}

/** A result as it is signed. */
export interface SignedResult {
  status: ResultStatus;
  assurance: 'adapter' | 'self';
  reportedBy: string;
  time: string;
  /** `ob_…`, or a number for one that was recorded in an embedded store. */
  ref: string;
  contradictsVerdict: boolean;
  /** Of the report; kept beside the chain. */
  bodyDigest: string | null;
}

/** Of an erased result only the table still says how it ended, which nobody can change. */
export function resultOf({ data, row, assurance, reportedBy, time, ref }: HistoryRecord): SignedResult {
  // What the writer puts into records of this type, and into the table.
  const said = (data ?? row ?? {}) as { status: ResultStatus; contradicts_verdict: boolean };
  return {
    status: said.status,
    assurance: assurance ?? 'self',
    reportedBy,
    time,
    ref,
    contradictsVerdict: said.contradicts_verdict === true,
    bodyDigest: typeof row?.['body_digest'] === 'string' ? row['body_digest'] : null,
  };
}
