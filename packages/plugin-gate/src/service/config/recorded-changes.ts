import { isJsonObject, type Json } from '../../json/index.js';
import type { EvidenceStore } from '../../store/index.js';
import type { Withdrawals } from './withdrawals.js';

/** What the chain says of a change of the configuration. */
export interface RecordedChange {
  seq: number;
  action: string;
  adapter: string | null;
  /** Of `adapter.finish`: the variable of the secret that was withdrawn. */
  variable: string | null;
  configDigest: string | null;
  previousConfigDigest: string | null;
}

const NOTHING: Withdrawals = { adapters: [], secrets: [], approvers: [] };

/** Reads the changes of the configuration in a range of the chain, both ends included. Erased records say nothing. */
export async function recordedChanges(store: EvidenceStore, from: number, to: number): Promise<RecordedChange[]> {
  const changes: RecordedChange[] = [];
  if (from > to) return changes;
  for await (const batch of store.records({ from, to, types: ['admin_action'] }))
    for (const { seq, data } of batch) {
      // Data in the chain is canonical JSON.
      const value = data === null ? null : (JSON.parse(data) as Json);
      if (isJsonObject(value) && (typeof value.config_digest === 'string' || value.config_digest === null))
        changes.push({
          seq,
          action: textOrNull(value.action) ?? '',
          adapter: textOrNull(value.adapter),
          variable: textOrNull(value.variable),
          configDigest: textOrNull(value.config_digest),
          previousConfigDigest: textOrNull(value.previous_config_digest),
        });
    }
  return changes;
}

/** What one recorded change withdraws. */
export function withdrawnByChange({ action, adapter, variable }: RecordedChange): Withdrawals {
  if (adapter === null) return NOTHING;
  if (action === 'adapter.remove') return { ...NOTHING, adapters: [adapter] };
  if (action === 'adapter.finish' && variable !== null) return { ...NOTHING, secrets: [{ adapter, variable }] };
  return NOTHING;
}

/**
 * What the chain has withdrawn of a configuration that is older than the withdrawal: a replica may start with a copy of the file
 * that nobody has updated. A file that the chain did not know before the withdrawal is newer, and is taken at its word.
 * @param changes all of the chain, in the order of their numbers
 */
export function withdrawnFromOldFile(changes: readonly RecordedChange[], digest: string): Withdrawals {
  const last = new Map<string, RecordedChange>();
  for (const change of changes) if (change.adapter !== null && change.action.startsWith('adapter.')) last.set(change.adapter, change);
  const older = [...last.values()].filter((change) => isOlder(digest, change, changes));
  const withdrawn = older.map(withdrawnByChange);
  return { adapters: withdrawn.flatMap(({ adapters }) => adapters), secrets: withdrawn.flatMap(({ secrets }) => secrets), approvers: [] };
}

function isOlder(digest: string, change: RecordedChange, changes: readonly RecordedChange[]): boolean {
  return digest === change.previousConfigDigest || changes.some(({ seq, configDigest }) => seq < change.seq && configDigest === digest);
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
