import { definePlugin } from '@bylaw/core/plugin';
import { RENDER_SECTION } from './config/render-section.js';

export default definePlugin({
  name: 'k8s',
  rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
  config: RENDER_SECTION,
  renderers: async (context) => (await import('./render/index.js')).renderersOf(context),
});
