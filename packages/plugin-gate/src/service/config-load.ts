import { readFile } from 'node:fs/promises';
import { isJsonObject, type Json, type JsonObject, sha256Hex } from '../json/index.js';
import type { EvidenceStore } from '../store/index.js';
import type { Gate } from './gate.js';

/** `sha256:` of the bytes of the configuration file; null where there is none. */
export async function configDigest(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : `sha256:${sha256Hex(await readFile(file))}`;
}

/**
 * Records what the service decides by from now on: the configuration, the mode, the bundle. A configuration that is not the
 * one the chain spoke of last was changed by hand, or by a command that was killed in the middle: that is its `drift`.
 */
export async function recordLoad(gate: Gate, cause: 'start' | 'reload', digest: string | null): Promise<void> {
  const { store, policies, config } = gate;
  if (store.problems().some(({ blocks }) => blocks !== false)) return;
  const known = cause === 'start' ? await lastConfigDigest(store) : undefined;
  const { bundle } = policies;
  const data: JsonObject = {
    action: 'config.load',
    cause,
    config_digest: digest,
    drift: known !== undefined && known !== digest,
    mode: config.enforcement.mode,
    adapter_modes: { ...config.enforcement.adapters },
    bundle: bundle ? { id: bundle.id, version: bundle.version, digest: bundle.digest } : null,
    bundle_errors: [...new Set(policies.errors.map(({ code }) => code))].sort(),
  };
  await store.administer({
    kind: 'admin',
    type: 'admin_action',
    time: gate.clock.now().toISOString(),
    dev: gate.dev,
    reportedBy: 'system',
    data,
  });
}

/** What the chain says of the configuration last; undefined when it says nothing. */
async function lastConfigDigest(store: EvidenceStore): Promise<Json | undefined> {
  const head = await store.head();
  if (!head) return undefined;
  let last: Json | undefined;
  for await (const batch of store.records({ from: 0, to: head.seq, types: ['admin_action'] }))
    for (const { data } of batch) last = digestIn(data) ?? last;
  return last;
}

function digestIn(data: string | null): Json | undefined {
  // Data in the chain is canonical JSON.
  const value = data === null ? null : (JSON.parse(data) as Json);
  return isJsonObject(value) && Object.hasOwn(value, 'config_digest') ? value.config_digest : undefined;
}
