import { rm } from 'node:fs/promises';
import type { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { readHeader, revocationData, rotationData, type VerifierKey } from '../../evidence/index.js';
import { newKeyPem, type Signer, signerFromPem } from '../../keys/index.js';
import { type AdminUnit, type EvidenceStore, loadSigningKey, type Recorded, StoreError } from '../../store/index.js';
import { chainKeys, currentKey } from '../open/chain-keys.js';
import { openStoreToWrite, operatorName, withStoreErrors } from '../open/open-store.js';
import { originOf, withStoreToRead } from '../open/read-store.js';
import { configuredKeyFile, replaceKeyFile, waitingKeyFile, writeKeyFile } from './key-file.js';

/**
 * Makes the first signing key, and begins the chain with it.
 * @throws {BylawError} AG-KEY-001 when there is a key, or a chain that began with another; AG-EVD-… when the chain cannot begin
 */
export async function initKey(installation: Installation): Promise<{ path: string; key: VerifierKey }> {
  const path = configuredKeyFile(installation);
  if (path === undefined)
    throw gateError('AG-KEY-001', 'The signing key is in an environment variable, so there is no key file to create.', {
      hint: 'Create a key with `openssl genpkey -algorithm ed25519`, and set the variable to its text.',
    });
  if (await hasChain(installation))
    throw gateError('AG-KEY-001', 'The evidence chain already exists and has its own signing key.', {
      hint: 'Restore that key from a backup. If it is lost, the chain cannot continue: the guide “Operating the gate” explains how to begin a new one.',
    });
  await writeKeyFile(path, newKeyPem());
  const config = gateConfigOf(installation.loaded.config);
  const store = await openStoreToWrite(installation);
  try {
    const key = await withStoreErrors(() => currentKey(store));
    return { path, key: { name: originOf(store, config), publicKey: key?.public_key ?? '' } };
  } finally {
    await store.close();
  }
}

export interface Rotation {
  /** Where the new key is. */
  path: string;
  key: VerifierKey;
  recorded: Recorded | undefined;
}

/** Told of each step once it is done, so that tests can stop a process there. */
export type RotationStep = 'key-1' | 'key-2' | 'key-3';

/**
 * Gives the chain a new key: 1 write the new key beside the old one, 2 record the rotation, signed by both, 3 put the new one in
 * the place of the old one. Stopped before 2, nothing has happened, and a key is left that nobody uses. Stopped between 2 and 3
 * the next rotation finds the key with which the chain continues, and does nothing but step 3.
 * @param out where the new key goes instead; needed where a variable holds the key
 * @throws {BylawError} AG-KEY-001, AG-EVD-…
 */
export async function rotateKey(
  installation: Installation,
  { reason, out }: { reason: string; out?: string | undefined },
  reached: (step: RotationStep) => void = () => undefined,
): Promise<Rotation> {
  const keyFile = configuredKeyFile(installation);
  if (out === undefined && keyFile === undefined)
    throw gateError('AG-KEY-001', 'The signing key is in an environment variable.', { hint: 'Pass a file for the new key with --out.' });
  const config = gateConfigOf(installation.loaded.config);
  const waiting = out ?? waitingKeyFile(keyFile ?? '');
  if (out === undefined && keyFile !== undefined) {
    const finished = await finishRotation(installation, keyFile);
    if (finished !== undefined) return finished;
  }
  const store = await openStoreToWrite(installation);
  try {
    const pem = newKeyPem();
    const signer = signerFromPem(pem);
    await writeKeyFile(waiting, pem);
    reached('key-1');
    const recorded = await withStoreErrors(() => recordRotation(store, installation, signer, reason)).catch(async (error: BylawError) => {
      await rm(waiting, { force: true });
      throw error;
    });
    reached('key-2');
    if (out === undefined && keyFile !== undefined) await replaceKeyFile(keyFile);
    reached('key-3');
    return { path: out ?? keyFile ?? '', key: { name: originOf(store, config), publicKey: signer.publicKey }, recorded };
  } finally {
    await store.close();
  }
}

/**
 * Records that a key was stolen, as it may have signed from a record on.
 * @throws {BylawError} AG-EVD-003 no such record, AG-KEY-002 its key is in force; AG-EVD-…
 */
export async function revokeKey(
  installation: Installation,
  { from, reason }: { from: number; reason: string },
): Promise<{ key_id: string; from: number; to: number; recorded: Recorded }> {
  const store = await openStoreToWrite(installation);
  try {
    return await withStoreErrors(async () => {
      const record = await store.record(String(from));
      if (record === undefined || record === 'pending') throw gateError('AG-EVD-003', `Record ${from} does not exist.`);
      const { key_id: keyId } = readHeader(record);
      const { to } = (await chainKeys(store)).findLast((key) => key.key_id === keyId) ?? { to: null };
      if (to === null)
        throw gateError('AG-KEY-002', `Record ${from} is signed with the active key.`, { hint: 'Run `bylaw keys rotate` first.' });
      const recorded = await store.administer(keyUnit(installation, revocationData(keyId, from, reason)));
      return { key_id: keyId, from, to, recorded };
    });
  } finally {
    await store.close();
  }
}

/** Whether records are there, whatever keeps more from being written. */
async function hasChain(installation: Installation): Promise<boolean> {
  try {
    return await withStoreToRead(installation, async (store) => (await store.head()) !== undefined);
  } catch (error) {
    // No store yet is what the first key is made for; any other trouble shows when it is opened to be written.
    if (error instanceof Error && 'code' in error && error.code === 'AG-EVD-002') return false;
    throw error;
  }
}

/** A rotation that was recorded, and then interrupted: its key still waits. */
async function finishRotation(installation: Installation, keyFile: string): Promise<Rotation | undefined> {
  const config = gateConfigOf(installation.loaded.config);
  const waiting = waitingKeyFile(keyFile);
  const key = loadSigningKey({ key_file: waiting }, { base: installation.loaded.base, env: {} });
  if ('problem' in key) return undefined;
  return await withStoreToRead(installation, async (store) => {
    if ((await currentKey(store))?.key_id !== key.signer.keyId) {
      // Nobody uses it: the rotation was never recorded.
      await rm(waiting);
      return undefined;
    }
    await replaceKeyFile(keyFile);
    return { path: keyFile, key: { name: originOf(store, config), publicKey: key.signer.publicKey }, recorded: undefined };
  });
}

/** Times that a rotation is tried while other writers move the head. */
const ATTEMPTS = 20;

/** The proof names the record before, so it is made again when another one has come between. */
async function recordRotation(store: EvidenceStore, installation: Installation, signer: Signer, reason: string): Promise<Recorded> {
  for (let attempt = 1; ; attempt++) {
    const head = await store.head();
    if (head === undefined) throw new StoreError('AG-EVD-002', 'There is no chain yet.');
    try {
      const data = rotationData(signer, store.chainId, head.hash, reason);
      return await store.administer({ ...keyUnit(installation, data), expectHead: head.hash });
    } catch (error) {
      const moved = error instanceof StoreError && (await store.head())?.hash !== head.hash;
      if (!moved || attempt === ATTEMPTS) throw error;
    }
  }
}

function keyUnit({ clock }: Installation, data: AdminUnit['data']): AdminUnit {
  return { kind: 'admin', type: 'key', time: clock.now().toISOString(), dev: false, reportedBy: operatorName(), data };
}
