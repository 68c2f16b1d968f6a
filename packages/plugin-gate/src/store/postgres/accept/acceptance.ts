import type { FollowRules } from '../../../approval/index.js';
import type { Signer } from '../../../keys/index.js';
import type { ApprovalUnit, DecisionUnit, ResultUnit } from '../../store.js';
import type { HeadFollower } from '../chain/head.js';

export type AcceptedUnit = DecisionUnit | ResultUnit | ApprovalUnit;

/** What became of a unit. `ref`: what it is known by, `ob_…`, or a number for what was numbered before it came here. */
export type Acceptance =
  | { kind: 'accepted'; ref: string; time: string; assurance?: 'adapter' | 'self' }
  | { kind: 'repeated'; ref: string; time: string; assurance: 'adapter' | 'self' }
  /** The id was used before; the approval is in another state. */
  | { kind: 'refused' }
  | { kind: 'unknown-proposal' | 'other-adapter' | 'already-final' };

export interface Acceptor {
  /** Name under which this replica counts what it accepts. */
  replica: string;
  signer: Signer;
  chainId: string;
  head: HeadFollower;
  rules: Omit<FollowRules, 'chainId'>;
  /** @returns a new reference, `ob_` and a ULID */
  newOid: () => string;
}
