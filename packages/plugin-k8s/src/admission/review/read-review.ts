import { type RequestBreach, requestCheck } from '@bylaw/core/request-check';
import { isObject, type JsonObject } from '@bylaw/core/resource';
import type { AdmissionRequest } from './admission-review.js';
import { ENVELOPE_SCHEMA, REQUEST_SCHEMA } from './review-schema.js';

/** A review as read. `foreign`: it is not one that can be answered. `broken`: it can be answered, and its object cannot be evaluated. */
export type ReadReview =
  | { type: 'request'; request: AdmissionRequest }
  | { type: 'broken'; uid: string; namespace: string; why: string }
  | { type: 'foreign'; errors: readonly RequestBreach[] };

/** Reads any value. Never throws; what it says of a wrong one holds no part of it. */
export function readReview(value: unknown): ReadReview {
  checks ??= { envelope: requestCheck(ENVELOPE_SCHEMA), request: requestCheck(REQUEST_SCHEMA) };
  const errors = checks.envelope(value);
  if (errors.length > 0) return { type: 'foreign', errors };
  const { request } = value as { request: JsonObject & { uid: string } }; // the schema has just said so
  const { uid } = request;
  const [breach] = checks.request(request);
  const namespace = textOrEmpty(request.namespace);
  if (breach) return { type: 'broken', uid, namespace, why: `${breach.path.slice(1) || 'it'} ${breach.message}` };
  const read = requestOf(request as typeof request & CheckedRequest); // the schema has just said so
  if (read.object === undefined && (read.operation === 'CREATE' || read.operation === 'UPDATE'))
    return { type: 'broken', uid, namespace, why: `it has no object, which every ${read.operation} request must have` };
  return { type: 'request', request: read };
}

let checks: { envelope: ReturnType<typeof requestCheck>; request: ReturnType<typeof requestCheck> } | undefined;

type CheckedRequest = Pick<AdmissionRequest, 'uid' | 'operation'> & { kind: { kind: string } };

function requestOf(request: JsonObject & CheckedRequest): AdmissionRequest {
  const { uid, operation, kind, userInfo, object, oldObject } = request;
  return {
    uid,
    operation,
    kind: kind.kind,
    subResource: textOrEmpty(request.subResource),
    namespace: textOrEmpty(request.namespace),
    name: textOrEmpty(request.name),
    username: isObject(userInfo) ? textOrEmpty(userInfo.username) : '',
    dryRun: request.dryRun === true,
    object: isObject(object) ? object : undefined,
    oldObject: isObject(oldObject) ? oldObject : undefined,
  };
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
