import { awaitApproval, type Connection, readDecision } from '../../client/index.js';
import { gateError } from '../../error-table.js';
import { isProposalId } from '../../proposal/index.js';
import { approvalState, denialOf, EXITS, pendingText, undecided } from '../../run/index.js';
import { print, printJson, tell } from '../terminal/output.js';

/**
 * Waits for the outcome of the approval that a proposal needs, and prints it.
 * @returns the exit code
 * @throws {BylawError} AG-SCH-002
 */
export async function waitForApproval(
  connection: Connection,
  id: string,
  { timeout, patience, json }: { timeout?: number | undefined; patience: number; json: boolean },
): Promise<number> {
  if (!isProposalId(id)) throw gateError('AG-SCH-002', 'The id is not a valid proposal id.');
  const patienceMs = patience * 1000;
  const first = await readDecision(connection, id, patienceMs);
  const pending = first.kind === 'decided' && first.answer.effective_decision === 'REQUIRE_APPROVAL';
  if (pending && timeout !== 0) tell(pendingText(first.answer, connection.identity === undefined));
  const found =
    pending && timeout !== 0 ? await awaitApproval(connection, id, patienceMs, (timeout ?? Number.POSITIVE_INFINITY) * 1000) : first;
  if (found.kind !== 'decided') {
    const { exit, text } = undecided(found, { proposalId: id, url: connection.url });
    const unknown = found.kind === 'refused' && found.status === 404;
    tell(
      unknown
        ? `The gate has no proposal with this id.${id.startsWith('apr_') ? ' Pass the id of the proposal, not of the approval.' : ''}`
        : text,
    );
    return exit;
  }
  const { answer } = found;
  const decision = answer.effective_decision;
  if (json) await printJson({ proposal_id: id, decision, approval: answer.approval, state: approvalState(answer) ?? null });
  else await print(`${outcomeText()}\n`);
  return decision === 'ALLOW' ? 0 : EXITS[decision];

  function outcomeText(): string {
    if (decision === 'ALLOW')
      return approvalState(answer) === 'granted' ? `The approval ${answer.approval} is granted.` : 'The gate allows this.';
    return decision === 'DENY' ? denialOf(answer).text : `The approval ${answer.approval} is still pending.`;
  }
}
