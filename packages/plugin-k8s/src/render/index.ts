import type { RendererContext } from '@bylaw/core/plugin';
import type { Renderer } from '@bylaw/core/resource';
import { renderConfigOf } from '../config/render-section.js';
import { helmRenderer } from './helm/helm.js';
import { kustomizeRenderer } from './kustomize/kustomize.js';

/** What renders Helm charts and kustomizations; nothing where the configuration turns rendering off. */
export function renderersOf({ config, base, env }: RendererContext): Renderer[] {
  const settings = { ...renderConfigOf(config, base), env };
  return settings.enabled ? [helmRenderer(settings), kustomizeRenderer(settings)].map(neverThrowing) : [];
}

/** What fails around a program, such as making its folder, costs this source only. */
function neverThrowing(renderer: Renderer): Renderer {
  return {
    ...renderer,
    render: (path, shown, options) =>
      renderer.render(path, shown, options).catch((error: unknown) => {
        const message = `This cannot be rendered: ${error instanceof Error ? error.message : String(error)}`;
        return { inputs: [], errors: [{ code: 'render-failed', message, location: { file: shown, line: 1, column: 1 } }], covers: [] };
      }),
  };
}
