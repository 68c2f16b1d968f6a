import type { Authentication } from '@bylaw/core/endpoint';
import { gateOf } from '../gate/running-gates.js';
import { kindsOf, SHARED_CODES } from '../http/problems.js';

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

/** Adapters sign their requests. Every request is counted, and refused under the gate's own codes. */
export const ADAPTER: Authentication = {
  summary: 'An adapter signs every request with its secret. `/openapi.json` describes the headers.',
  anyAccept: true,
  headers: SIGNATURE_HEADERS,
  security: SIGNATURE_SCHEME,
  codes: SHARED_CODES,
  problems: kindsOf('AG-IDN-001', 'AG-IDN-002', 'AG-IDN-003', 'AG-IDN-004', 'AG-IDN-005'),
  guard: (services) => ({
    auth: 'own',
    admit: (head) => gateOf(services).authenticator.admit(head),
    verify: (head, body) => void gateOf(services).authenticator.authenticate(head, body),
    observe: (code, problem) => gateOf(services).refusals.count(code, problem),
  }),
};
