import type { HttpRequest, Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { MODES, type Mode, webhookConfigOf } from '../config/webhook-section.js';
import { webhookCredentials } from './credentials.js';
import { REVIEW_ANSWER, REVIEW_BODY } from './review-schema.js';
import { WEBHOOK_PATH, webhookOf } from './webhook.js';

/** `POST /api/v1/webhook`, and the same below it for each mode: the address of a webhook in a cluster takes no query. */
export function webhookRoutes(services: Services): Route[] {
  const credentials = webhookCredentials(webhookConfigOf(services.config));
  const shared = {
    method: 'POST',
    auth: 'api-key',
    ...(credentials && { credentials }),
    security: SECURITY,
    tag: 'admission',
    anyAccept: true,
    query: {
      timeout: {
        description: 'How long the API server waits, for example `10s`. The response is sent before then.',
        type: 'string',
        maxLength: 32,
      },
    },
    body: REVIEW_BODY,
    responses: { 200: { description: 'The response, with the uid of the request.', schema: REVIEW_ANSWER } },
  } satisfies Partial<Route>;
  const answer = async ({ body, query, params }: HttpRequest) => {
    const webhook = await webhookOf(services);
    // The schemas of path and query say that they are of these types.
    return webhook.answer(body, params.mode as Mode | undefined, query.timeout as string | undefined);
  };
  return [
    {
      ...shared,
      path: WEBHOOK_PATH,
      id: 'reviewAdmission',
      summary: 'Answer an AdmissionReview from a Kubernetes API server.',
      description:
        'Checks the object that is created or changed. If the object cannot be checked, `webhook.fail` and `webhook.unjudged` in the configuration decide the response. A body that is not an AdmissionReview is answered with a problem.',
      handler: answer,
    },
    {
      ...shared,
      path: `${WEBHOOK_PATH}/{mode}`,
      id: 'reviewAdmissionInMode',
      summary: 'Answer an AdmissionReview in one mode, whatever the configuration sets.',
      params: { mode: { description: 'How findings affect the request.', enum: [...MODES] } },
      handler: answer,
    },
  ];
}

const SECURITY = {
  WebhookToken: { type: 'http', scheme: 'bearer', description: 'A token whose digest is in `webhook.tokens`.' },
  WebhookCertificate: {
    type: 'mutualTLS',
    description: 'A client certificate from an authority in `api.client_ca`, with a common name in `webhook.client_names`.',
  },
};
