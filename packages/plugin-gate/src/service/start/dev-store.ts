import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DEV_FILES, devConfig } from '../../config/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import { type EvidenceStore, type OpenStoreOptions, openStore, type SigningKey } from '../../store/index.js';

/**
 * Opens an empty store with a new key. What an earlier run left makes room, but only once no other server has the store open.
 * The key is in a file that only its owner can read, for the commands with `--dev`.
 */
export async function openDevStore(options: OpenStoreOptions): Promise<{ store: EvidenceStore; key: SigningKey }> {
  const pem = newKeyPem();
  const key = { pem, signer: signerFromPem(pem) };
  const open = () => openStore({ ...options, config: devConfig(options.config), key });
  let store = await open();
  if (store.problems().some(({ code }) => code === 'AG-EVD-001')) {
    await store.close();
    await removeEarlierRun(options.base);
    store = await open();
  }
  await writeKey(resolve(options.base, DEV_FILES.key), pem);
  return { store, key };
}

async function removeEarlierRun(base: string): Promise<void> {
  const path = resolve(base, DEV_FILES.store);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
  await rm(resolve(base, DEV_FILES.checkpoints), { recursive: true, force: true });
}

async function writeKey(path: string, pem: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  await writeFile(path, pem, { mode: 0o600, flag: 'wx' });
}
