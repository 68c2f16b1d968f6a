import { isLoopbackHostHeader, problem, type RequestHead } from '@bylaw/core/http';
import { plural } from '@bylaw/core/plural';
import { type AdapterRegistry, type Credentials, EMPTY_DIGEST, type Refusal, readCredentials, withinSkew } from '../auth/index.js';
import type { AdapterEntry } from '../config/index.js';
import { sha256Hex } from '../json/index.js';
import { gateProblem } from './problems.js';

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

/** Lets adapters in, in two steps: what the headers look like decides before a body is read, their signature after. */
export interface Door {
  /** @throws {HttpProblem} AG-IDN-001, -002, -004 */
  admit(head: RequestHead): void;
  /** Asked again for the same request, it answers the same. @throws {HttpProblem} AG-IDN-003, -005 */
  enter(head: RequestHead, body: Uint8Array): Caller;
}

/** The reporter of every record that is written in dev mode. */
export const DEV_REPORTER = 'dev-unauthenticated';

/** @param registry gives the adapters that may come in at this moment */
export function signedDoor(registry: () => AdapterRegistry, maxSkewSeconds: number, now: () => number): Door {
  const admitted = new WeakMap<RequestHead, Credentials>();
  const entered = new WeakMap<RequestHead, Caller>();
  return {
    admit: (head) => {
      const credentials = readCredentials(head.raw.rawHeaders);
      if ('refused' in credentials) throw refusal(credentials.refused, maxSkewSeconds);
      admitted.set(head, credentials);
    },
    enter: (head, body) => {
      const known = entered.get(head);
      if (known) return known;
      const credentials = admitted.get(head);
      if (!credentials) throw refusal('AG-IDN-001', maxSkewSeconds);
      if (!withinSkew(credentials.at, now(), maxSkewSeconds)) throw refusal('AG-IDN-003', maxSkewSeconds);
      const bodyDigest = body.length === 0 ? EMPTY_DIGEST : sha256Hex(body);
      // The method as sent: a HEAD is signed as one, though the route is that of GET.
      const entry = registry().verify(credentials, { method: head.raw.method ?? head.method, path: head.path, bodyDigest });
      if (!entry) throw refusal('AG-IDN-005', maxSkewSeconds);
      const caller = { adapterId: entry.adapter_id, entry, signedAt: credentials.at, bodyDigest };
      entered.set(head, caller);
      return caller;
    },
  };
}

/**
 * The door of dev mode: everyone comes in under one name. What keeps pages of foreign sites out is the name that the server is
 * asked under, and that posts must be JSON.
 */
export function devDoor(): Door {
  return {
    admit: refuseForeignHost,
    enter: (_head, body) => ({ adapterId: DEV_REPORTER, entry: undefined, signedAt: undefined, bodyDigest: sha256Hex(body) }),
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
