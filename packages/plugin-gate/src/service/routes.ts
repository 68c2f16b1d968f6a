import type { HttpRequest, HttpResponse, Route } from '@bylaw/core/http';
import { RECORD_TYPES } from '../evidence/index.js';
import { decide } from './decide.js';
import { EXPORT_MEDIA_TYPES, exportEvidence, MAX_RECORDS } from './export-evidence.js';
import type { Gate } from './gate.js';
import { kindsOf, SHARED_CODES } from './problems.js';
import { reportResult } from './report-result.js';
import { EVIDENCE_RECORD, PROPOSAL_ANSWER, RESULT_ANSWER, RESULT_BODY, SHOWN_PROPOSAL, STATUS, SUBMISSION_BODY } from './schemas.js';
import { showProposal } from './show-proposal.js';
import { showRecord } from './show-record.js';
import { status } from './status.js';

/** 64 KB. */
export const MAX_BODY_BYTES = 65_536;

/**
 * The routes of the gate. What is not here does not exist.
 * @param gate gives the gate that was started; called at every request
 */
export function gateRoutes(gate: () => Gate): Route[] {
  const own = ownRoute(gate);
  return [
    own(decide, {
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
    }),
    own(showProposal, {
      method: 'GET',
      path: '/v1/proposals/{id}',
      id: 'getProposal',
      summary: 'Get a proposal, its recorded verdict, and what the adapter may do now.',
      params: { id: { description: 'Identifier of the proposal.', type: 'string' } },
      responses: { 200: { description: 'The proposal. Erased parts are null.', schema: SHOWN_PROPOSAL } },
      problems: kindsOf('AG-EVD-007', 'AG-EVD-002', 'AG-EVD-004'),
    }),
    own(reportResult, {
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
    }),
    own(exportEvidence, {
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
          description:
            'Export only records of this type. Repeat the parameter to select several types. A filtered export cannot be verified.',
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
    }),
    own(showRecord, {
      method: 'GET',
      path: '/v1/evidence/by-ref/{ref}',
      id: 'getRecord',
      summary: 'Get the record of an evidence_ref.',
      params: { ref: { description: 'An `evidence_ref`.', type: 'string' } },
      responses: { 200: { description: 'The record.', schema: EVIDENCE_RECORD } },
      problems: kindsOf('AG-EVD-003', 'AG-EVD-006', 'AG-EVD-002', 'AG-EVD-004'),
    }),
    own(status, {
      method: 'GET',
      path: '/v1/status',
      id: 'getStatus',
      summary: 'Get the status of the gate: limits, refusals, chain, policies, and adapters.',
      responses: { 200: { description: 'The status of this process.', schema: STATUS } },
      problems: kindsOf('AG-EVD-002', 'AG-EVD-004'),
    }),
  ];
}

type Described = Omit<Route, 'auth' | 'tag' | 'handler' | 'admit' | 'verify' | 'observe' | 'codes'>;

/** A route for adapters: signed, counted, under the gate's own codes. */
function ownRoute(gate: () => Gate) {
  return (handler: (gate: Gate, request: HttpRequest) => Promise<HttpResponse>, described: Described): Route => ({
    ...described,
    auth: 'own',
    tag: 'gate',
    anyAccept: true,
    headers: SIGNATURE_HEADERS,
    security: SIGNATURE_SCHEME,
    codes: SHARED_CODES,
    problems: [...(described.problems ?? []), ...kindsOf('AG-IDN-001', 'AG-IDN-002', 'AG-IDN-003', 'AG-IDN-004', 'AG-IDN-005')],
    admit: (head) => gate().authenticator.admit(head),
    verify: (head, body) => void gate().authenticator.authenticate(head, body),
    observe: (code, problem) => gate().refusals.count(code, problem),
    handler: (request) => handler(gate(), request),
  });
}

const SIGNATURE_SCHEME = {
  AdapterSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-SVC-Signature',
    description:
      'HMAC-SHA256, keyed with the secret of the adapter, over five fields joined by line feeds: the method in upper case, the path without the query, X-SVC-Timestamp, X-SVC-Nonce (empty if not sent), and the SHA-256 digest of the body in lowercase hexadecimal digits.',
  },
};

const SIGNATURE_HEADERS = {
  'X-SVC-Adapter-Id': { description: 'ID of the registered adapter.', required: true, schema: { type: 'string' } },
  'X-SVC-Timestamp': { description: 'RFC 3339 in UTC with milliseconds.', required: true, schema: { type: 'string', format: 'date-time' } },
  'X-SVC-Nonce': { description: 'Optional. Covered by the signature.', required: false, schema: { type: 'string', maxLength: 128 } },
  'X-SVC-Signature': {
    description: 'Base64url without padding.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
  },
};
