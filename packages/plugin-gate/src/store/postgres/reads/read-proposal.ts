import type { StoredProposal, StoredResult } from '../../store.js';
import { proofsBy } from '../seal/proofs.js';
import { approvalsOf, readCached } from './read-approvals.js';
import { readDecisions, resultOf, type SignedResult } from './read-decisions.js';
import { readHistory } from './read-history.js';
import type { Reading } from './reading.js';

/** A proposal with its results and its approval; undefined if its id is not used. */
export async function readProposal({ pool, head, rules, noted }: Reading, id: string): Promise<StoredProposal | undefined> {
  const proofs = await proofsBy(head, pool);
  const [decision] = await readDecisions(pool, [id], proofs);
  if (decision === undefined) return undefined;
  const results = await readHistory(pool, 'result', [id], proofs);
  const approval = (await approvalsOf(pool, [decision], { proofs, rules, results })).get(id) ?? null;
  const [cached] = approval === null ? [] : await readCached(pool, 'id = $1', [approval.id]);
  if (approval !== null) noted(approval, cached);
  const { recorded, reportedBy, dev, proposal, verdict } = decision;
  return { recorded, reportedBy, dev, proposal, verdict, approval, results: results.map(resultOf).map(storedResult) };
}

function storedResult({ status, assurance, reportedBy, time: at, ref, contradictsVerdict }: SignedResult): StoredResult {
  return { status, assurance, reportedBy, at, ref, contradictsVerdict };
}
