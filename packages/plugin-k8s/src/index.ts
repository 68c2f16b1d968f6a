import { definePlugin } from '@bylaw/core/plugin';
import { RENDER_SECTION } from './config/render-section.js';
import { SCAN_SECTION } from './config/scan-section.js';

// Every command loads this module, and only a server needs what stands behind the routes.
const scanning = () => import('./scan/service/index.js');

export default definePlugin({
  name: 'k8s',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
  config: { ...RENDER_SECTION, ...SCAN_SECTION },
  routes: async (router, services) => router.add((await scanning()).scanRoute(services)),
  tools: async () => [(await import('./tools/index.js')).scanClusterTool],
  start: async (services) => ({ ready: () => [], stop: async () => (await scanning()).scanServiceOf(services).close() }),
  renderers: async (context) => (await import('./render/index.js')).renderersOf(context),
});
