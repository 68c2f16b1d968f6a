/** The admission webhook: reviews, the threads that answer them, and the route. */
export { type Webhook, webhookOf } from './webhook.js';
export { WEBHOOK_ENDPOINTS } from './webhook-endpoints.js';
