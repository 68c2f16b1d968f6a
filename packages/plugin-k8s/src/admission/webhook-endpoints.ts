import { type Authentication, defineEndpoint, type Services } from '@bylaw/core/endpoint';
import type { HttpRequest } from '@bylaw/core/http';
import { MODES, type Mode, webhookConfigOf } from '../config/webhook-section.js';
import { webhookCredentials } from './credentials.js';
import { REVIEW_ANSWER, REVIEW_BODY } from './review/review-schema.js';
import { WEBHOOK_PATH, webhookOf } from './webhook.js';

/** An API server, by a bearer token or a client certificate; an API key will do as well. */
const WEBHOOK: Authentication = {
  summary: 'An API server sends a bearer token or a client certificate. An API key is valid, too.',
  anyAccept: true,
  security: {
    WebhookToken: { type: 'http', scheme: 'bearer', description: 'A token whose digest is in `webhook.tokens`.' },
    WebhookCertificate: {
      type: 'mutualTLS',
      description: 'A client certificate from an authority in `api.client_ca`, with a common name in `webhook.client_names`.',
    },
  },
  guard: ({ config }) => {
    const credentials = webhookCredentials(webhookConfigOf(config));
    return { auth: 'api-key', ...(credentials && { credentials }) };
  },
};

const SHARED = {
  method: 'POST',
  auth: WEBHOOK,
  tag: 'admission',
  query: {
    timeout: {
      description: 'How long the API server waits, for example `10s`. The response is sent before then.',
      type: 'string',
      maxLength: 32,
    },
  },
  body: REVIEW_BODY,
  responses: { 200: { description: 'The response, with the uid of the request.', schema: REVIEW_ANSWER } },
  respond: async ({ body, query, params }: HttpRequest, services: Services) => {
    const webhook = await webhookOf(services);
    // The schemas of path and query say that they are of these types.
    return webhook.answer(body, params.mode as Mode | undefined, query.timeout as string | undefined);
  },
} as const;

const reviewAdmission = defineEndpoint({
  ...SHARED,
  path: WEBHOOK_PATH,
  id: 'reviewAdmission',
  summary: 'Answer an AdmissionReview from a Kubernetes API server.',
  description:
    'Checks the object that is created or changed. If the object cannot be checked, `webhook.fail` and `webhook.unjudged` in the configuration decide the response. A body that is not an AdmissionReview is answered with a problem.',
});

/** The address of a webhook in a cluster takes no query, so the mode is a part of its path. */
const reviewAdmissionInMode = defineEndpoint({
  ...SHARED,
  path: `${WEBHOOK_PATH}/{mode}`,
  id: 'reviewAdmissionInMode',
  summary: 'Answer an AdmissionReview in one mode, whatever the configuration sets.',
  params: { mode: { description: 'How findings affect the request.', enum: [...MODES] } },
});

/** The endpoints of the webhook. */
export const WEBHOOK_ENDPOINTS = [reviewAdmission, reviewAdmissionInMode];
