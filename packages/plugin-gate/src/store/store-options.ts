import type { Clock } from '@bylaw/core/clock';
import type { ApproverGroups } from './approver-groups.js';
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
