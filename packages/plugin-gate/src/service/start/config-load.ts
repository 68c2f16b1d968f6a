import type { JsonObject } from '../../json/index.js';
import type { EvidenceStore } from '../../store/index.js';
import { recordedChanges } from '../config/recorded-changes.js';
import type { Gate } from '../gate/gate.js';

/**
 * Records what the service decides by from now on: the configuration, the mode, the bundle, and whether the variables of the
 * adapters hold usable secrets. A configuration that is not the one the chain spoke of last was changed by hand, or by a command
 * that was killed in the middle: that is its `drift`.
 */
export async function recordLoad(gate: Gate, cause: 'start' | 'reload'): Promise<void> {
  const { store, policies, config, configDigest, configProblems } = gate;
  if (store.problems().some(({ blocks }) => blocks !== false)) return;
  const known = cause === 'start' ? await lastConfigDigest(store) : undefined;
  const { bundle } = policies;
  const data: JsonObject = {
    action: 'config.load',
    cause,
    config_digest: configDigest,
    config_errors: [...configProblems()],
    drift: known !== undefined && known !== configDigest,
    mode: config.enforcement.mode,
    adapter_modes: { ...config.enforcement.adapters },
    variables: variablesOf(gate),
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
async function lastConfigDigest(store: EvidenceStore): Promise<string | null | undefined> {
  const head = await store.head();
  const changes = head === undefined ? [] : await recordedChanges(store, 0, head.seq);
  return changes.at(-1)?.configDigest;
}

/** States by the names of the variables, so that a command can tell whether the server has a secret. Never a value. */
function variablesOf({ registry }: Gate): JsonObject {
  return Object.fromEntries(
    registry.adapters.flatMap(({ entry, secret, previous }) => [
      [entry.secret_env, secret],
      ...(entry.previous_secret_env === undefined ? [] : [[entry.previous_secret_env, previous ?? 'unset']]),
    ]),
  );
}
