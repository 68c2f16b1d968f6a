import { isLoopbackHostHeader, problem, type RequestHead } from '@bylaw/core/http';
import { plural } from '@bylaw/core/plural';
import { type AdapterRegistry, type Credentials, EMPTY_DIGEST, type Refusal, readCredentials, withinSkew } from '../../auth/index.js';
import type { AdapterEntry } from '../../config/index.js';
import { sha256Hex } from '../../json/index.js';
import { gateProblem } from '../http/problems.js';

/** Who speaks to the gate. */
export interface Caller {
  adapterId: string;
  /** Undefined for the reporter of dev mode. */
  entry: AdapterEntry | undefined;
  /** The time that the request names, milliseconds since 1970; undefined in dev mode, which does not read it. */
  signedAt: number | undefined;
  /** SHA-256 of the body, hex. */
  bodyDigest: string;
}

/** Authenticates adapters in two steps: by the form of the headers before a body is read, and by their signature after. */
export interface Authenticator {
  /** @throws {HttpProblem} AG-IDN-001, -002, -004 */
  admit(head: RequestHead): void;
  /** Asked again for the same request, it answers the same. @throws {HttpProblem} AG-IDN-003, -005 */
  authenticate(head: RequestHead, body: Uint8Array): Caller;
}

/** The reporter of every record that is written in dev mode. */
export const DEV_REPORTER = 'dev-unauthenticated';

/** @param registry gives the adapters that are registered at this moment */
export function signatureAuthenticator(registry: () => AdapterRegistry, maxSkewSeconds: number, now: () => number): Authenticator {
  const admitted = new WeakMap<RequestHead, { credentials: Credentials; caller?: Caller }>();
  return {
    admit: (head) => {
      const credentials = readCredentials(head.raw.rawHeaders);
      if ('refused' in credentials) throw refusal(credentials.refused, maxSkewSeconds);
      admitted.set(head, { credentials });
    },
    authenticate: (head, body) => {
      const known = admitted.get(head);
      if (!known) throw refusal('AG-IDN-001', maxSkewSeconds);
      if (known.caller) return known.caller;
      const { credentials } = known;
      if (!withinSkew(credentials.at, now(), maxSkewSeconds)) throw refusal('AG-IDN-003', maxSkewSeconds);
      const bodyDigest = body.length === 0 ? EMPTY_DIGEST : sha256Hex(body);
      // The method as sent: a HEAD is signed as one, though the route is that of GET.
      const entry = registry().verify(credentials, { method: head.raw.method ?? head.method, path: head.path, bodyDigest });
      if (!entry) throw refusal('AG-IDN-005', maxSkewSeconds);
      known.caller = { adapterId: entry.adapter_id, entry, signedAt: credentials.at, bodyDigest };
      return known.caller;
    },
  };
}

/**
 * Dev mode: every caller has the same name. Pages of foreign sites are kept out because requests must name a loopback host, and
 * posts must be JSON.
 */
export function devAuthenticator(): Authenticator {
  return {
    admit: refuseForeignHost,
    authenticate: (_head, body) => ({ adapterId: DEV_REPORTER, entry: undefined, signedAt: undefined, bodyDigest: sha256Hex(body) }),
  };
}

/** @throws {HttpProblem} `host-not-allowed` */
function refuseForeignHost({ headers }: RequestHead): void {
  if (!isLoopbackHostHeader(headers.host))
    throw problem('host-not-allowed', {
      detail: 'In dev mode, the server accepts only loopback names such as localhost or 127.0.0.1.',
    });
}

function refusal(code: Refusal, maxSkewSeconds: number) {
  return gateProblem(code, {
    detail:
      code === 'AG-IDN-003'
        ? `The request timestamp differs from the server clock by more than ${plural(maxSkewSeconds, 'second')}.`
        : DETAILS[code],
  });
}

const DETAILS: { readonly [code in Exclude<Refusal, 'AG-IDN-003'>]: string } = {
  'AG-IDN-001': 'Send the id of a registered adapter in X-SVC-Adapter-Id, and send each X-SVC header at most once.',
  'AG-IDN-002': 'Send X-SVC-Timestamp as RFC 3339 in UTC with milliseconds.',
  'AG-IDN-004':
    'Send X-SVC-Signature as 43 base64url characters. X-SVC-Nonce is optional and may have at most 128 visible ASCII characters.',
  'AG-IDN-005': 'The adapter is not registered, or the signature does not match any of its secrets.',
};
