import { defineEndpoint, type RespondingEndpoint } from '@bylaw/core/endpoint';
import type { HttpRequest, HttpResponse } from '@bylaw/core/http';
import { RECORD_TYPES } from '../../evidence/index.js';
import type { Gate } from '../gate/gate.js';
import { gateOf } from '../gate/running-gates.js';
import { kindsOf } from '../http/problems.js';
import { ADAPTER } from './adapter-authentication.js';
import { decide } from './decide.js';
import { EXPORT_MEDIA_TYPES, exportEvidence, MAX_RECORDS } from './export-evidence.js';
import { reportResult } from './report-result.js';
import { EVIDENCE_RECORD, PROPOSAL_ANSWER, RESULT_ANSWER, RESULT_BODY, SHOWN_PROPOSAL, STATUS, SUBMISSION_BODY } from './schemas.js';
import { showProposal } from './show-proposal.js';
import { showRecord } from './show-record.js';
import { status } from './status.js';

/** 64 KB. */
export const MAX_BODY_BYTES = 65_536;

/** What all endpoints of the gate have in common: they are for adapters, who sign their requests. */
const SIGNED = { auth: ADAPTER, tag: 'gate' } as const;

/** Has the gate of the running server answer. */
function byGate(answer: (gate: Gate, request: HttpRequest) => Promise<HttpResponse>): RespondingEndpoint['respond'] {
  return (request, services) => answer(gateOf(services), request);
}

const submissionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/proposals',
  id: 'submitProposal',
  summary: 'Submit a proposed action and get a verdict.',
  description:
    'The decision is recorded before the response is sent. A proposal id can be decided only once; GET the proposal to recover a lost response. Every request must be signed; see the header parameters.',
  body: SUBMISSION_BODY,
  maxBodyBytes: MAX_BODY_BYTES,
  responses: {
    200: { description: 'The verdict.', schema: PROPOSAL_ANSWER },
    202: {
      description: 'The action is waiting for an approval.',
      schema: PROPOSAL_ANSWER,
      headers: { Location: 'URL of the proposal, to poll.', 'Retry-After': 'Seconds to wait.' },
    },
  },
  problems: kindsOf(
    ...(['AG-SCH-001', 'AG-SCH-002', 'AG-SCH-006', 'AG-SCH-008', 'AG-RPL-001', 'AG-LIM-001', 'AG-LIM-002', 'AG-LIM-003'] as const),
    ...(['AG-EVD-001', 'AG-EVD-002', 'AG-EVD-004', 'AG-EVD-009', 'AG-POL-001', 'AG-POL-002'] as const),
  ),
  ...SIGNED,
  respond: byGate(decide),
});

const proposalEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/proposals/{id}',
  id: 'getProposal',
  summary: 'Get a proposal, its recorded verdict, and what the adapter may do now.',
  params: { id: { description: 'Identifier of the proposal.', type: 'string' } },
  responses: { 200: { description: 'The proposal. Erased parts are null.', schema: SHOWN_PROPOSAL } },
  problems: kindsOf('AG-EVD-007', 'AG-EVD-002', 'AG-EVD-004'),
  ...SIGNED,
  respond: byGate(showProposal),
});

const resultEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/proposals/{id}/result',
  id: 'reportResult',
  summary: 'Report what happened when the action ran.',
  description:
    'Only the adapter that submitted the proposal may report its result. You can report `deferred` any number of times; every other status is final. The same body, sent again, gets the same response.',
  params: { id: { description: 'Identifier of the proposal.', type: 'string' } },
  body: RESULT_BODY,
  maxBodyBytes: MAX_BODY_BYTES,
  responses: { 200: { description: 'What was recorded.', schema: RESULT_ANSWER } },
  problems: kindsOf(
    ...(['AG-SCH-001', 'AG-SCH-002', 'AG-IDN-006', 'AG-EVD-007', 'AG-RPL-002', 'AG-LIM-003'] as const),
    ...(['AG-EVD-001', 'AG-EVD-002', 'AG-EVD-004', 'AG-EVD-009'] as const),
  ),
  ...SIGNED,
  respond: byGate(reportResult),
});

const evidenceEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/evidence',
  id: 'exportEvidence',
  summary: 'Export the evidence chain.',
  description: `Returns at most ${MAX_RECORDS} records. Split larger ranges with \`from\` and \`to\`.`,
  query: {
    from: { description: 'Number of the first record. Default: 0.', type: 'integer', minimum: 0 },
    to: { description: 'Number of the last record. Default: the newest record.', type: 'integer', minimum: 0 },
    format: { description: 'Default: jsonl. `oscal` does not support `type`.', enum: ['jsonl', 'csv', 'oscal'] },
    type: {
      description: 'Export only records of this type. Repeat the parameter to select several types. A filtered export cannot be verified.',
      type: 'array',
      maxItems: 100,
      items: { enum: [...RECORD_TYPES] },
    },
  },
  responses: {
    200: {
      description: 'The records.',
      mediaType: EXPORT_MEDIA_TYPES.jsonl,
      schema: EVIDENCE_RECORD,
      others: { [EXPORT_MEDIA_TYPES.csv]: { type: 'string' }, [EXPORT_MEDIA_TYPES.oscal]: { type: 'object' } },
      headers: {
        'X-SVC-Verifiable': 'Whether the export can be verified: `true` or `false`.',
        'X-SVC-Not-Verifiable-Reason': 'Why the export cannot be verified.',
        'X-SVC-Range': 'First and last record of the export, and the newest record of the chain.',
        'X-SVC-Next-From': 'Number of the next record, if the range was cut off.',
        Link: 'URL of the rest of the range, `rel="next"`.',
      },
    },
  },
  problems: kindsOf('AG-EVD-005', 'AG-LIM-003', 'AG-EVD-002', 'AG-EVD-004'),
  ...SIGNED,
  respond: byGate(exportEvidence),
});

const recordEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/evidence/by-ref/{ref}',
  id: 'getRecord',
  summary: 'Get the record of an evidence_ref.',
  params: { ref: { description: 'An `evidence_ref`.', type: 'string' } },
  responses: { 200: { description: 'The record.', schema: EVIDENCE_RECORD } },
  problems: kindsOf('AG-EVD-003', 'AG-EVD-006', 'AG-EVD-002', 'AG-EVD-004'),
  ...SIGNED,
  respond: byGate(showRecord),
});

const statusEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/status',
  id: 'getStatus',
  summary: 'Get the status of the gate: limits, refusals, chain, policies, and adapters.',
  responses: { 200: { description: 'The status of this process.', schema: STATUS } },
  problems: kindsOf('AG-EVD-002', 'AG-EVD-004'),
  ...SIGNED,
  respond: byGate(status),
});

/** The endpoints of the gate. What is not here does not exist. */
export const GATE_ENDPOINTS = [submissionEndpoint, proposalEndpoint, resultEndpoint, evidenceEndpoint, recordEndpoint, statusEndpoint];
