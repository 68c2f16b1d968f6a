import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GATE_SECTIONS, type GateConfig } from '../config/index.js';
import { newKeyPem, signerFromPem } from '../keys/index.js';
import { type EvidenceStore, type OpenStoreOptions, openStore, type SigningKey } from '../store/index.js';

const DEV_STORE = '.bylaw/dev.sqlite';

/** Whether dev mode keeps its records apart: it does unless a store is named, so that they never get into the real chain by mistake. */
export function usesDevStore({ store }: GateConfig): boolean {
  return store.kind === 'sqlite' && store.path === DEFAULT_PATH;
}

// The sections say so themselves.
const DEFAULT_PATH = (GATE_SECTIONS.store as unknown as { properties: { path: { default: string } } }).properties.path.default;

/**
 * Opens the store of dev mode with a key that nobody keeps. The records of an earlier run were signed by another one, which is
 * gone: nothing can be added to them, so they make room.
 */
export async function openDevStore(options: OpenStoreOptions): Promise<{ store: EvidenceStore; key: SigningKey }> {
  const pem = newKeyPem();
  const key = { pem, signer: signerFromPem(pem) };
  const config = { ...options.config, store: { kind: 'sqlite', path: DEV_STORE } as const };
  const open = () => openStore({ ...options, config, key });
  const store = await open();
  if (!store.problems().some(({ code }) => code === 'AG-EVD-001')) return { store, key };
  await store.close();
  const path = resolve(options.base, DEV_STORE);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
  return { store: await open(), key };
}
