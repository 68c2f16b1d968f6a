import { type HttpRequest, type HttpResponse, json } from '@bylaw/core/http';
import { readHeader } from '../../evidence/index.js';
import { BURST_SECONDS } from '../../limits/index.js';
import type { Gate } from '../gate/gate.js';
import { orUnavailable } from '../http/unavailable.js';

/** GET /v1/status: how the service stands, for those who may ask it for verdicts. */
export async function status(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  gate.authenticator.authenticate(request, request.body);
  const { api, enforcement } = gate.config;
  const { bundle, errors } = gate.policies;
  const { pending, oldestPendingMs } = await orUnavailable(gate.store.status());
  const { adapters } = gate.registry;
  return json(200, {
    service: { version: gate.version, started_at: gate.startedAt, dev: gate.dev, mode: enforcement.mode },
    rate_limit: { ...api.rate_limit, burst_seconds: BURST_SECONDS, scope: SCOPE },
    refusals: gate.refusals.read(),
    chain: await chainOf(gate),
    storage: { kind: gate.store.kind, pending, oldest_pending_ms: oldestPendingMs },
    ...checkOf(gate),
    policy: {
      id: bundle?.id ?? null,
      version: bundle?.version ?? null,
      digest: bundle?.digest ?? null,
      errors: [...new Set(errors.map(({ code }) => code))].sort(),
    },
    adapters: {
      registered: adapters.length,
      usable: adapters.filter(({ usable }) => usable).length,
      rotating: adapters.filter(({ entry }) => entry.previous_secret_env !== undefined).length,
    },
  });
}

/** Absent before the check of the store has begun. What the faults are is in the log. */
function checkOf({ store }: Gate) {
  const state = store.checkState?.();
  if (state === undefined) return {};
  const { passes, checked, records, lastPassAt, faults } = state;
  return { store_check: { passes, checked, records, last_pass_at: lastPassAt, faults: faults.length } };
}

const SCOPE = 'Limits are per process: with N replicas the total admitted is N times the setting.';

async function chainOf({ store, lastCheckpoint }: Gate) {
  const head = await orUnavailable(store.head());
  const size = lastCheckpoint();
  const newest = head && (await orUnavailable(store.record(String(head.seq))));
  return {
    id: store.chainId === '' ? null : store.chainId,
    head: head ? { seq: head.seq, hash: head.hash, time: head.time } : null,
    key_id: newest && newest !== 'pending' ? readHeader(newest).key_id : null,
    last_checkpoint: size === null ? null : { size },
  };
}
