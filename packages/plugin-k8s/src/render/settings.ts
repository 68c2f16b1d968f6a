import type { Environment } from '@bylaw/core/config';
import type { RenderConfig } from '../config/render-section.js';

/** What the renderers work with: the configuration, and the environment that leads to their programs. */
export interface RenderSettings extends RenderConfig {
  env: Environment;
}
