import type { HttpRequest, HttpResponse } from '@bylaw/core/http';
import { plural } from '@bylaw/core/plural';
import { ceilingOf, modeOf } from '../../config/index.js';
import { canonical, readInstant } from '../../json/index.js';
import { type AdapterClass, type Envelope, readSubmission } from '../../proposal/index.js';
import type { DecisionUnit, Recorded } from '../../store/index.js';
import type { Checked } from '../../verdict/index.js';
import type { Caller } from '../gate/authenticator.js';
import type { Gate } from '../gate/gate.js';
import { gateProblem, rateLimited } from '../http/problems.js';
import { asJson, readBody } from '../http/read-body.js';
import { orUnavailable, refuseWhen } from '../http/unavailable.js';
import { ulid } from '../ulid.js';

/**
 * POST /v1/proposals: one proposal in, one verdict out, recorded before it is answered.
 * The order of the steps decides which refusal a request gets that deserves several.
 */
export async function decide(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  const caller = gate.authenticator.authenticate(request, request.body);
  const wait = gate.limits.adapter.take(caller.adapterId);
  if (wait > 0) throw rateLimited('adapter', wait, gate.config.api.rate_limit.per_adapter_rps, caller.adapterId);
  const envelope = submissionOf(request.body);
  checkBinding(envelope, caller);
  checkTime(envelope, caller, gate);
  checkMaskable(envelope, gate);
  const principalWait = gate.limits.principal.take(envelope.proposal.principal.id);
  if (principalWait > 0) throw rateLimited('principal', principalWait, gate.config.api.rate_limit.per_principal_rps, caller.adapterId);
  const { unit, recorded } = await gate.queue.run(() => decideAndRecord(gate, caller, envelope));
  return answer(unit, recorded);
}

function submissionOf(body: Uint8Array): Envelope {
  const read = readSubmission(readBody(body));
  if ('errors' in read) throw gateProblem('AG-SCH-002', { errors: read.errors });
  return read.envelope;
}

/** What a proposal says of its adapter must be what is registered. Above the ceiling it is refused and not lowered: that would change the input, and so the verdict. */
function checkBinding({ proposal }: Envelope, { adapterId, entry }: Caller): void {
  if (!entry) return;
  if (proposal.adapter !== undefined && proposal.adapter !== adapterId)
    throw gateProblem('AG-SCH-008', { detail: 'The proposal names a different adapter than the one that signed the request.' });
  if (classOf(proposal) === 'enforcing' && ceilingOf(entry) === 'advisory')
    throw gateProblem('AG-SCH-008', { detail: 'The adapter is registered as advisory, but the proposal claims enforcing.' });
}

/** Nobody may date a proposal back into a mandate that has lapsed. */
function checkTime({ proposal: { requested_at } }: Envelope, { signedAt }: Caller, { config: { api } }: Gate): void {
  if (requested_at === undefined || signedAt === undefined) return;
  const difference = Math.abs((readInstant(requested_at) ?? Number.NaN) - signedAt);
  if (!(difference <= api.max_clock_skew_seconds * 1000))
    throw gateProblem('AG-SCH-006', {
      detail: `requested_at must be within ${plural(api.max_clock_skew_seconds, 'second')} of X-SVC-Timestamp.`,
    });
}

/** What identifies a proposal cannot be masked, so it must not look like a secret. */
function checkMaskable(envelope: Envelope, { policies }: Gate): void {
  const errors = policies.masker().refusals(envelope);
  if (errors.length > 0) throw gateProblem('AG-SCH-002', { errors });
}

async function decideAndRecord(gate: Gate, caller: Caller, envelope: Envelope): Promise<{ unit: DecisionUnit; recorded: Recorded }> {
  refuseWhen(gate.store.problems());
  const bundle = gate.policies.deciding();
  const now = gate.clock.now();
  const at = new Date(caller.signedAt ?? now).toISOString();
  const checked = await gate.check({ ...envelope, at }, bundle, gate.evaluator);
  const unit = unitOf(gate, caller, envelope, checked, at, now);
  const recorded = await orUnavailable(gate.store.decide(unit));
  if (!recorded)
    throw gateProblem('AG-RPL-001', { detail: 'Every proposal needs a new id. GET the proposal to see the recorded decision.' });
  return { unit, recorded };
}

function unitOf(gate: Gate, caller: Caller, { proposal }: Envelope, checked: Checked, at: string, now: Date): DecisionUnit {
  const { verdict } = checked;
  const enforced = modeOf(gate.config, caller.adapterId) === 'enforcing';
  const need = verdict.approval;
  const approval = need && `apr_${ulid(now.getTime(), gate.random(10))}`;
  const submitted = withoutSecrets(checked, gate);
  return {
    kind: 'decision',
    proposalId: proposal.id,
    time: now.toISOString(),
    dev: gate.dev,
    reportedBy: caller.adapterId,
    proposal: {
      ...submitted.masked,
      evaluated_at: proposal.requested_at ?? at,
      adapter: { id: caller.adapterId, kind: caller.entry?.kind ?? null },
      class: classOf(proposal),
    },
    verdict: {
      proposal_id: proposal.id,
      verdict,
      enforced,
      effective_decision: enforced ? verdict.decision : 'ALLOW',
      approval,
    },
    texts: submitted.texts,
    ...(need &&
      approval !== null && {
        approval: {
          id: approval,
          need,
          shadow: !enforced,
          expiresAt: new Date(now.getTime() + need.ttl_seconds * 1000).toISOString(),
        },
      }),
  };
}

/** What is recorded of a submission: nearly always what was digested, as it was written for that. */
function withoutSecrets({ masked, texts }: Checked, gate: Gate): Pick<Checked, 'masked'> & Required<Pick<DecisionUnit, 'texts'>> {
  const { proposal, budget, mandate } = masked;
  const { verdict } = texts;
  if (!gate.holdsSecret(texts.proposal.text) && !gate.holdsSecret(texts.budget.text) && !gate.holdsSecret(texts.mandate.text))
    return { masked, texts };
  return {
    masked: { proposal: gate.withoutSecrets(proposal), budget: gate.withoutSecrets(budget), mandate: gate.withoutSecrets(mandate) },
    texts: { verdict },
  };
}

function classOf(proposal: { enforcement?: AdapterClass }): AdapterClass {
  return proposal.enforcement ?? 'advisory';
}

/** Exactly the six members of the specification. */
function answer({ proposalId, verdict: data, texts }: DecisionUnit, { ref, seq }: Recorded): HttpResponse {
  const { approval, effective_decision: effective, enforced, verdict } = data;
  const waits = effective === 'REQUIRE_APPROVAL';
  return {
    status: waits ? 202 : 200,
    headers: waits ? { Location: `/v1/proposals/${proposalId}`, 'Retry-After': '5' } : {},
    body:
      `{"approval":${canonical(approval)},"effective_decision":"${effective}","enforced":${enforced},"evidence_ref":${canonical(ref)},` +
      `"evidence_seq":[${seq.join()}],"verdict":${texts?.verdict?.text ?? canonical(asJson(verdict))}}\n`,
  };
}
