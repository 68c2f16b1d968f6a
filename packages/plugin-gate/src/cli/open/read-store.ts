import type { Installation } from '@bylaw/core/installation';
import { type GateConfig, gateConfigOf } from '../../config/index.js';
import { defaultOrigin, verifierKeyText } from '../../evidence/index.js';
import { type EvidenceStore, openStore } from '../../store/index.js';
import { currentKey } from './chain-keys.js';
import { withStoreErrors } from './open-store.js';

/**
 * Opens the evidence store that is configured, to read it, and closes it afterwards. A server may go on writing.
 * @throws {BylawError} AG-EVD-002, -004 when it cannot be read; all that the work throws
 */
export async function withStoreToRead<Result>(
  { loaded, clock }: Pick<Installation, 'loaded' | 'clock'>,
  work: (store: EvidenceStore, config: GateConfig) => Promise<Result>,
): Promise<Result> {
  const config = gateConfigOf(loaded.config);
  return await withStoreErrors(async () => {
    const store = await openStore({ config, base: loaded.base, env: process.env, clock, role: 'read' });
    return await work(store, config).finally(() => store.close());
  });
}

/** What the chain signs its checkpoints as. */
export function originOf(store: EvidenceStore, config: GateConfig): string {
  return config.evidence.origin ?? defaultOrigin(store.chainId);
}

/** The public key that signs the chain now, as the store itself states it. Only who keeps it elsewhere can rely on it. */
export function currentVerifierKey(installation: Pick<Installation, 'loaded' | 'clock'>): Promise<string> {
  return withStoreToRead(installation, async (store, config) => {
    const key = await currentKey(store);
    return verifierKeyText({ name: originOf(store, config), publicKey: key?.public_key ?? '' });
  });
}
