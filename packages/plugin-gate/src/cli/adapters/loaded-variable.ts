import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
import type { EvidenceStore } from '../../store/index.js';

/**
 * Whether the server that last loaded its configuration has the secret of a variable, as its `config.load` record says.
 * @returns why it has not, one sentence; undefined when it has, or when no server has ever loaded a configuration
 */
export async function missingSecret(store: EvidenceStore, variable: string): Promise<string | undefined> {
  const load = await lastLoad(store);
  if (load === undefined) return undefined;
  // A server of an earlier version does not say which variables it has.
  const state = isJsonObject(load.variables) && Object.hasOwn(load.variables, variable) ? load.variables[variable] : undefined;
  if (state === 'set') return undefined;
  return typeof state === 'string'
    ? `When a server last loaded its configuration, ${variable} was ${state === 'padded' ? 'padded with white space' : state}.`
    : `No server has loaded ${variable} yet.`;
}

async function lastLoad(store: EvidenceStore): Promise<JsonObject | undefined> {
  const head = await store.head();
  let last: JsonObject | undefined;
  if (head === undefined) return undefined;
  for await (const batch of store.records({ from: 0, to: head.seq, types: ['admin_action'] }))
    for (const { data } of batch) {
      // Data in the chain is canonical JSON.
      const value = data === null ? null : (JSON.parse(data) as Json);
      if (isJsonObject(value) && value.action === 'config.load') last = value;
    }
  return last;
}
