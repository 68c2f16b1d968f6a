import type { GateConfig } from './gate-config.js';
import { GATE_SECTIONS } from './sections.js';

/** Whether dev mode keeps its records apart: it does unless a store is named, so that they never get into the real chain by mistake. */
export function usesDevStore({ store }: Pick<GateConfig, 'store'>): boolean {
  return store.kind === 'sqlite' && store.path === DEFAULT_PATH;
}

// The sections say so themselves.
const DEFAULT_PATH = (GATE_SECTIONS.store as unknown as { properties: { path: { default: string } } }).properties.path.default;

/** The files of dev mode, relative to the folder of the configuration. */
export const DEV_FILES = { store: '.bylaw/dev.sqlite', key: '.bylaw/dev.key', checkpoints: '.bylaw/dev-checkpoints' } as const;

/**
 * The sections with the store, the key and the checkpoints of dev mode instead of the real ones, unless a store is named.
 * The server and the commands with `--dev` share it, so they work on the same files.
 */
export function devConfig<Sections extends Pick<GateConfig, 'store' | 'signing' | 'evidence'>>(config: Sections): Sections {
  if (!usesDevStore(config)) return config;
  return {
    ...config,
    store: { kind: 'sqlite', path: DEV_FILES.store },
    signing: { key_file: DEV_FILES.key },
    evidence: { ...config.evidence, checkpoint_dir: DEV_FILES.checkpoints },
  };
}
