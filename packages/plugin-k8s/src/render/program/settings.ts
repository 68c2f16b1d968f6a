import type { Environment } from '@bylaw/core/config';
import type { RenderConfig } from '../../config/render-section.js';
import type { ProgramCall } from './run-program.js';

/** What the renderers work with: the configuration, and the environment that leads to their programs. */
export interface RenderSettings extends RenderConfig {
  env: Environment;
}

/** Ten times what large charts take. */
const MAX_MEMORY = 2 * 1024 * 1024 * 1024;

export function limitsOf({ timeout_ms, max_bytes }: RenderSettings): Pick<ProgramCall, 'timeoutMs' | 'maxBytes' | 'maxMemory'> {
  return { timeoutMs: timeout_ms, maxBytes: max_bytes, maxMemory: MAX_MEMORY };
}
