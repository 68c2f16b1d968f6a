import type { JsonSchema } from '@bylaw/core/http';
import { OPERATIONS } from './admission-review.js';

const text = (description: string, maxLength = 1000): JsonSchema => ({ description, type: ['string', 'null'], maxLength });
const anyObject = (description: string): JsonSchema => ({ description, type: ['object', 'null'] });

const UID: JsonSchema = { description: 'Returned in the response.', type: 'string', minLength: 1, maxLength: 128 };

/** What must be right for the review to be answered at all. */
export const ENVELOPE_SCHEMA = envelope({ type: 'object', required: ['uid'], properties: { uid: UID } });

/** What must be right for its object to be evaluated. More members may be beside these. */
export const REQUEST_SCHEMA = {
  type: 'object',
  required: ['uid', 'operation', 'kind'],
  properties: {
    uid: UID,
    operation: { enum: [...OPERATIONS] },
    kind: {
      type: 'object',
      required: ['kind'],
      properties: {
        group: text('Empty for the core group.'),
        version: text('Without the group.'),
        kind: { type: 'string', minLength: 1, maxLength: 253 },
      },
    },
    subResource: text('For example `status`.'),
    namespace: text('Empty for objects without one.'),
    name: text('Empty if the API server generates the name.'),
    userInfo: { type: ['object', 'null'], properties: { username: text('The user who sent the request to the API server.', 10_000) } },
    dryRun: { type: ['boolean', 'null'] },
    object: anyObject('The object to check.'),
    oldObject: anyObject('The existing object.'),
  },
} as const;

/** For the description of the route. */
export const REVIEW_BODY: JsonSchema = { title: 'AdmissionReviewRequest', ...envelope(REQUEST_SCHEMA) };

export const REVIEW_ANSWER: JsonSchema = {
  title: 'AdmissionReviewResponse',
  type: 'object',
  additionalProperties: false,
  required: ['apiVersion', 'kind', 'response'],
  properties: {
    apiVersion: { type: 'string', enum: ['admission.k8s.io/v1'] },
    kind: { type: 'string', enum: ['AdmissionReview'] },
    response: {
      type: 'object',
      additionalProperties: false,
      required: ['uid', 'allowed'],
      properties: {
        uid: { description: 'The uid of the request.', type: 'string' },
        allowed: { type: 'boolean' },
        status: {
          description: 'Why the request is denied.',
          type: 'object',
          additionalProperties: false,
          required: ['code', 'reason', 'message'],
          properties: { code: { type: 'integer' }, reason: { type: 'string' }, message: { type: 'string' } },
        },
        warnings: {
          description: 'Printable ASCII, at most 256 characters each and 4,096 in all.',
          type: 'array',
          items: { type: 'string', maxLength: 256 },
        },
        auditAnnotations: { description: 'For the audit log of the API server.', type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
};

function envelope(request: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['apiVersion', 'kind', 'request'],
    properties: { apiVersion: { enum: ['admission.k8s.io/v1'] }, kind: { enum: ['AdmissionReview'] }, request },
  };
}
