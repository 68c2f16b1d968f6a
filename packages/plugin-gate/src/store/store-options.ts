import type { Clock } from '@bylaw/core/clock';
import type { SigningKey } from './signing-key.js';

/** What opening a store takes, wherever it keeps its records. */
export interface StoreOptions {
  /** `server`: writes on a thread of its own. `command`: writes beside a server, on this one. `read`: never writes, and makes nothing. */
  role: 'server' | 'command' | 'read';
  key: SigningKey;
  clock: Clock;
  /** Gives that many random bytes, fit for secrets. */
  random: (bytes: number) => Uint8Array;
  dev: boolean;
  /** `reported_by` of what opening records. */
  reportedBy: string;
  /** Approvers of the configuration: grants of format 1 count for their groups. */
  approvers?: readonly ApproverGroups[] | undefined;
  /** Name of the chain in its checkpoints, if it is configured. */
  origin?: string | undefined;
  /** Checkpoints that the chain is compared with. */
  checkpointDir?: string | undefined;
  /** Continues a chain that the newest checkpoint contradicts, and records that. */
  acceptRollback?: boolean | undefined;
}

/** Approvers with their groups, as the configuration says: what decisions of format 1 count for. */
export interface ApproverGroups {
  id: string;
  groups: readonly string[];
}

/** @returns what finds the groups of an approver; none for who is not configured */
export function groupsOf(approvers: readonly ApproverGroups[] = []): (approver: string) => readonly string[] {
  return (approver) => approvers.find(({ id }) => id === approver)?.groups ?? [];
}

/** Calls again and again, `ms` milliseconds apart, until what it gives is called. Tests pass one that they move by hand. */
export type Timer = (run: () => void, ms: number) => () => void;

/** The system's timer. It keeps no process alive. */
export const systemTimer: Timer = (run, ms) => {
  const interval = setInterval(run, ms);
  interval.unref();
  return () => clearInterval(interval);
};
