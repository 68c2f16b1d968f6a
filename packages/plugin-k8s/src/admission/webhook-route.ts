import type { Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { MODES, type Mode, webhookConfigOf } from '../config/webhook-section.js';
import { webhookCredentials } from './credentials.js';
import { REVIEW_ANSWER, REVIEW_BODY } from './review-schema.js';
import { WEBHOOK_PATH, webhookOf } from './webhook.js';

/** `POST /api/v1/webhook`. */
export function webhookRoute(services: Services): Route {
  const credentials = webhookCredentials(webhookConfigOf(services.config));
  return {
    method: 'POST',
    path: WEBHOOK_PATH,
    auth: 'api-key',
    ...(credentials && { credentials }),
    security: {
      WebhookToken: { type: 'http', scheme: 'bearer', description: 'A token whose digest stands in `webhook.tokens`.' },
      WebhookCertificate: {
        type: 'mutualTLS',
        description: 'A client certificate of `api.client_ca` with a name of `webhook.client_names`.',
      },
    },
    id: 'reviewAdmission',
    tag: 'admission',
    summary: 'Answer an AdmissionReview of a Kubernetes API server.',
    description:
      'Judges the object that is to be created or changed. What cannot be judged is answered, too, by `webhook.fail` and `webhook.unjudged` of the configuration; a body that is no review is a problem.',
    anyAccept: true,
    query: {
      mode: { description: 'Of this webhook; it wins over the configuration.', enum: [...MODES] },
      timeout: { description: 'How long the API server waits, such as `10s`. It is answered before that.', type: 'string', maxLength: 32 },
    },
    body: REVIEW_BODY,
    responses: { 200: { description: 'The answer, with the uid of the request.', schema: REVIEW_ANSWER } },
    handler: async ({ body, query }) => {
      const webhook = await webhookOf(services);
      // The schemas of the query say that they are of these types.
      return webhook.answer(body, query.mode as Mode | undefined, query.timeout as string | undefined);
    },
  };
}
