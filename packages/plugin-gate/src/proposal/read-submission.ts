import type { ProblemError } from '@bylaw/core/http';
import { type RequestCheck, requestCheck } from '@bylaw/core/request-check';
import { isJsonObject, type Json, readInstant } from '../json/index.js';
import { ACTION_PROPOSAL_SCHEMA } from './action-proposal.schema.js';
import { MANDATE_SCHEMA } from './mandate.schema.js';
import type { ActionProposal, BudgetState, Envelope, Mandate, ResultReport } from './proposal.js';
import { RESULT_SCHEMA } from './result.schema.js';
import { ENVELOPE_SCHEMA } from './submission.schema.js';

/**
 * Reads the body of a submission: an object with the member `proposal` is an envelope, any other a proposal.
 * @returns what it holds, or what is wrong: paths of names of the schema, and no piece of the body
 */
export function readSubmission(value: Json): { envelope: Envelope } | { errors: readonly ProblemError[] } {
  const enveloped = isJsonObject(value) && Object.hasOwn(value, 'proposal');
  const errors = (enveloped ? checkEnvelope : checkProposal)(value);
  if (errors.length > 0) return { errors };
  // The schemas have just said that it has one of these forms.
  const envelope = enveloped ? (value as unknown as Envelope) : { proposal: value as unknown as ActionProposal };
  const times = noInstants(envelope, enveloped ? '/proposal' : '');
  return times.length > 0 ? { errors: times } : { envelope };
}

/** Reads a result report, as `readSubmission` does. */
export function readResult(value: Json): { report: ResultReport } | { errors: readonly ProblemError[] } {
  const errors = checkResult(value);
  if (errors.length > 0) return { errors };
  const report = value as unknown as ResultReport; // so the schema says
  const times = wrongTimes('', { started_at: report.started_at, finished_at: report.finished_at });
  return times.length > 0 ? { errors: times } : { report };
}

/** Reads a mandate, as `readSubmission` does. */
export function readMandate(value: Json): { mandate: Mandate } | { errors: readonly ProblemError[] } {
  const errors = checkMandate(value);
  if (errors.length > 0) return { errors };
  const mandate = value as unknown as Mandate; // so the schema says
  const times = wrongTimes('', timesOfMandate(mandate));
  return times.length > 0 ? { errors: times } : { mandate };
}

const checkMandate = compiledOnce(MANDATE_SCHEMA);
const checkProposal = compiledOnce(ACTION_PROPOSAL_SCHEMA);
const checkEnvelope = compiledOnce(ENVELOPE_SCHEMA);
const checkResult = compiledOnce(RESULT_SCHEMA);

/** Compiling takes milliseconds, which a command that reads no proposal has no use for. */
function compiledOnce(schema: object): RequestCheck {
  let check: RequestCheck | undefined;
  return (value) => {
    check ??= requestCheck(schema);
    return check(value);
  };
}

/** What the schemas cannot say: a text of the right form may still name no instant. */
function noInstants({ proposal, budget, mandate }: Envelope, proposalPath: string): ProblemError[] {
  return [
    ...wrongTimes(proposalPath, { requested_at: proposal.requested_at }),
    ...(budget ? wrongTimes('/budget', timesOfBudget(budget)) : []),
    ...(mandate ? wrongTimes('/mandate', timesOfMandate(mandate)) : []),
  ];
}

const timesOfBudget = ({ period_start, period_end, as_of }: BudgetState) => ({ period_start, period_end, as_of });
const timesOfMandate = ({ not_before, expires_at }: Mandate) => ({ not_before, expires_at });

function wrongTimes(parent: string, times: { readonly [name: string]: string | undefined }): ProblemError[] {
  const wrong = Object.entries(times).filter(([, time]) => time !== undefined && readInstant(time) === undefined);
  return wrong.map(([name]) => ({ path: `${parent}/${name}`, message: 'is not a valid date and time' }));
}
