import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Installation } from '@bylaw/core/installation';
import type { GateConfig } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { checkpointNote, newestCheckpoint, readCheckpoint, writeCheckpoint } from '../../evidence/index.js';
import { type EvidenceStore, loadSigningKey } from '../../store/index.js';
import { currentKey } from '../open/chain-keys.js';
import { originOf } from '../open/read-store.js';

/**
 * Signs a checkpoint of the chain as it stands, and writes it into the folder of checkpoints.
 * @throws {BylawError} AG-EVD-001 without the key in force, AG-EVD-002 without a chain
 */
export async function writeCheckpointNow(
  { loaded }: Pick<Installation, 'loaded'>,
  store: EvidenceStore,
  config: GateConfig,
): Promise<{ path: string; note: string }> {
  const key = loadSigningKey(config.signing, { base: loaded.base, env: process.env });
  if ('problem' in key) throw gateError('AG-EVD-001', `Cannot sign a checkpoint: ${key.problem}.`, { hint: key.hint });
  const head = await store.head();
  if (head === undefined) throw gateError('AG-EVD-002', 'There is no chain yet.', { hint: 'Run: bylaw keys init' });
  if ((await currentKey(store))?.key_id !== key.signer.keyId)
    throw gateError('AG-EVD-001', 'Cannot sign a checkpoint: the signing key is not the active key of the chain.');
  const note = checkpointNote(head, originOf(store, config), key.signer);
  return { path: await writeCheckpoint(resolve(loaded.base, config.evidence.checkpoint_dir), note), note };
}

/** The newest checkpoint, if it covers the record; else a new one. */
export async function checkpointCovering(
  seq: number,
  installation: Pick<Installation, 'loaded'>,
  store: EvidenceStore,
  config: GateConfig,
): Promise<{ size: number; note: string }> {
  const dir = resolve(installation.loaded.base, config.evidence.checkpoint_dir);
  const newest = await newestCheckpoint(dir).catch((cause: unknown) => {
    throw gateError('AG-EVD-004', 'The newest checkpoint cannot be read.', { cause });
  });
  const covers = newest !== undefined && newest.checkpoint.size > seq && newest.checkpoint.size <= ((await store.head())?.seq ?? -1) + 1;
  const note = covers ? await readFile(newest.path, 'utf8') : (await writeCheckpointNow(installation, store, config)).note;
  return { size: readCheckpoint(note).size, note };
}
