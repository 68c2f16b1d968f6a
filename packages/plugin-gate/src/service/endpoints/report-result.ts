import { type HttpRequest, type HttpResponse, json } from '@bylaw/core/http';
import type { JsonObject } from '../../json/index.js';
import { type ResultReport, readResult } from '../../proposal/index.js';
import type { ReportOutcome, ResultUnit } from '../../store/index.js';
import { isFinal } from '../../store/rules/result-rules.js';
import type { Gate } from '../gate/gate.js';
import { gateProblem } from '../http/problems.js';
import { asJson, readBody } from '../http/read-body.js';
import { orUnavailable, refuseWhen } from '../http/unavailable.js';

/** POST /v1/proposals/{id}/result: what happened when the action ran, recorded before it is answered. */
export async function reportResult(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  const caller = gate.authenticator.authenticate(request, request.body);
  const read = readResult(readBody(request.body));
  if ('errors' in read) throw gateProblem('AG-SCH-002', { errors: read.errors });
  const proposalId = request.params.id ?? '';
  const unit: ResultUnit = {
    kind: 'result',
    proposalId,
    time: gate.clock.now().toISOString(),
    dev: gate.dev,
    reportedBy: caller.adapterId,
    status: read.report.status,
    report: masked(gate, read.report),
    bodyDigest: caller.bodyDigest,
  };
  const outcome = await gate.queue.run(() => {
    refuseWhen(gate.store.problems());
    return orUnavailable(gate.store.report(unit));
  });
  return answer(unit, outcome);
}

function masked(gate: Gate, report: ResultReport) {
  // Only texts are replaced, so an object stays one.
  return gate.withoutSecrets(gate.policies.masker().mask(asJson(report)) as JsonObject);
}

function answer({ proposalId, status }: ResultUnit, outcome: ReportOutcome): HttpResponse {
  switch (outcome.kind) {
    case 'unknown-proposal':
      throw gateProblem('AG-EVD-007', { detail: 'No decision is recorded for a proposal with this id.' });
    case 'other-adapter':
      throw gateProblem('AG-IDN-006', { detail: 'Only the adapter that submitted a proposal may report its result.' });
    case 'already-final':
      throw gateProblem('AG-RPL-002', { detail: 'GET the proposal to see the recorded results.' });
    case 'recorded':
    case 'repeated':
      return json(200, {
        proposal_id: proposalId,
        status,
        assurance: outcome.assurance,
        evidence_ref: outcome.recorded.ref,
        evidence_seq: outcome.recorded.seq,
        final: isFinal(status),
      });
  }
}
