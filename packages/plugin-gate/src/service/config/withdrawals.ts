import type { AdapterEntry, GateConfig } from '../../config/index.js';

/** What a running gate must no longer accept. */
export interface Withdrawals {
  /** Ids of adapters. */
  adapters: readonly string[];
  /** Secrets of adapters that stay, by the variables that hold them. */
  secrets: readonly { adapter: string; variable: string }[];
  /** Ids of approvers. */
  approvers: readonly string[];
}

/** What a configuration file no longer has of the configuration in force. Everything else that is different does not count. */
export function withdrawnBy(file: GateConfig, inForce: GateConfig): Withdrawals {
  const entries = new Map(file.adapters.map((entry) => [entry.adapter_id, variablesOf(entry)]));
  return {
    adapters: inForce.adapters.flatMap(({ adapter_id: id }) => (entries.has(id) ? [] : [id])),
    secrets: inForce.adapters.flatMap((entry) => {
      const kept = entries.get(entry.adapter_id);
      const gone = kept === undefined ? [] : variablesOf(entry).filter((variable) => !kept.includes(variable));
      return gone.map((variable) => ({ adapter: entry.adapter_id, variable }));
    }),
    // With another key, an approver is another one.
    approvers: inForce.approvers.flatMap(({ id, public_key }) =>
      file.approvers.some((approver) => approver.id === id && approver.public_key === public_key) ? [] : [id],
    ),
  };
}

/** The part of the withdrawals that a configuration still has. */
export function stillIn(config: GateConfig, { adapters, secrets, approvers }: Withdrawals): Withdrawals {
  const entries = new Map(config.adapters.map((entry) => [entry.adapter_id, variablesOf(entry)]));
  return {
    adapters: adapters.filter((id) => entries.has(id)),
    secrets: secrets.filter(({ adapter, variable }) => !adapters.includes(adapter) && entries.get(adapter)?.includes(variable)),
    approvers: approvers.filter((approver) => config.approvers.some(({ id }) => id === approver)),
  };
}

/** A configuration without what was withdrawn. An adapter whose current secret was withdrawn stays, and cannot authenticate. */
export function without(config: GateConfig, withdrawn: Withdrawals): GateConfig {
  return {
    ...config,
    adapters: config.adapters
      .filter(({ adapter_id }) => !withdrawn.adapters.includes(adapter_id))
      .map((entry) => withoutPrevious(entry, withdrawn)),
    approvers: config.approvers.filter(({ id }) => !withdrawn.approvers.includes(id)),
  };
}

export function isEmpty({ adapters, secrets, approvers }: Withdrawals): boolean {
  return adapters.length + secrets.length + approvers.length === 0;
}

function withoutPrevious({ previous_secret_env: previous, ...entry }: AdapterEntry, { secrets }: Withdrawals): AdapterEntry {
  const gone = previous === undefined || secrets.some(({ variable }) => variable === previous);
  return gone ? entry : { ...entry, previous_secret_env: previous };
}

function variablesOf({ secret_env, previous_secret_env }: AdapterEntry): string[] {
  return previous_secret_env === undefined ? [secret_env] : [secret_env, previous_secret_env];
}
