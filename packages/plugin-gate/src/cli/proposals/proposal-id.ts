import { randomBytes } from 'node:crypto';
import { ulid } from '../../service/ulid.js';

/** A new proposal id that nobody can guess: a ULID. */
export function newProposalId(now: Date): string {
  return ulid(now.getTime(), randomBytes(10));
}
