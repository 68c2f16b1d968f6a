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
      timeout: { description: 'How long the API server waits, such as `10s`. It is answered before that.', type: 'string', maxLength: 32 },
    },
    body: REVIEW_BODY,
    responses: { 200: { description: 'The answer, with the uid of the request.', schema: REVIEW_ANSWER } },
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
      summary: 'Answer an AdmissionReview of a Kubernetes API server.',
      description:
        'Judges the object that is to be created or changed. What cannot be judged is answered, too, by `webhook.fail` and `webhook.unjudged` of the configuration; a body that is no review is a problem.',
      handler: answer,
    },
    {
      ...shared,
      path: `${WEBHOOK_PATH}/{mode}`,
      id: 'reviewAdmissionInMode',
      summary: 'The same in one mode, whatever the configuration says.',
      params: { mode: { description: 'What findings do.', enum: [...MODES] } },
      handler: answer,
    },
  ];
}

const SECURITY = {
  WebhookToken: { type: 'http', scheme: 'bearer', description: 'A token whose digest stands in `webhook.tokens`.' },
  WebhookCertificate: {
    type: 'mutualTLS',
    description: 'A client certificate of an authority of `api.client_ca`, with a name of `webhook.client_names`.',
  },
};
