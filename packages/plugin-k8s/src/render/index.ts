import type { RendererContext } from '@bylaw/core/plugin';
import type { Renderer } from '@bylaw/core/resource';
import { renderConfigOf } from '../config/render-section.js';
import { helmRenderer } from './helm.js';
import { kustomizeRenderer } from './kustomize.js';

/** What renders Helm charts and kustomizations; nothing where the configuration turns rendering off. */
export function renderersOf({ config, base, env }: RendererContext): Renderer[] {
  const settings = { ...renderConfigOf(config, base), env };
  return settings.enabled ? [helmRenderer(settings), kustomizeRenderer(settings)] : [];
}
