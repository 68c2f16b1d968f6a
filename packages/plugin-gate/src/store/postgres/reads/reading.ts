import type { Pool } from 'pg';
import type { FollowRules } from '../../../approval/index.js';
import type { StoredApproval } from '../../store.js';
import type { HeadFollower } from '../chain/head.js';
import type { CachedApproval } from './read-approvals.js';

/** What reading needs. */
export interface Reading {
  pool: Pool;
  head: HeadFollower;
  rules: Omit<FollowRules, 'chainId'>;
  /** Told of each approval that was derived, and of what the table says of it. */
  noted: (approval: StoredApproval, cached: CachedApproval | undefined) => void;
}
