import { definePlugin } from '@bylaw/core/plugin';
import { checkWebhook } from './config/check-webhook.js';
import { RENDER_SECTION } from './config/render-section.js';
import { SCAN_SECTION } from './config/scan-section.js';
import { WEBHOOK_SECTION } from './config/webhook-section.js';

// Every command loads this module, and only a server needs what is behind the endpoints.
const scanning = () => import('./scan/service/index.js');
const admission = () => import('./admission/index.js');

export default definePlugin({
  name: 'k8s',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
  config: { ...RENDER_SECTION, ...SCAN_SECTION, ...WEBHOOK_SECTION },
  checkConfig: checkWebhook,
  tags: { admission: 'Admission reviews from a Kubernetes API server.' },
  endpoints: async () => [(await scanning()).scanCluster, ...(await admission()).WEBHOOK_ENDPOINTS],
  start: async (services) => {
    const webhook = await (await admission()).webhookOf(services);
    await webhook.start();
    return { ready: webhook.ready, stop: webhook.stop };
  },
  renderers: async (context) => (await import('./render/index.js')).renderersOf(context),
});
