import { createHash } from 'node:crypto';
import type { StoredRecord } from '../../evidence/index.js';
import { isJsonObject, type Json } from '../../json/index.js';

/** Records that one step of a check reads: a few milliseconds of work. */
export const STEP_RECORDS = 64;

/** Faults that a check lists. */
export const MOST_FAULTS = 20;

/** A digest of the hashes and signatures of a step: if it has not changed, their signatures need not be verified again. */
export function digestRecords(records: readonly StoredRecord[]): string {
  const digest = createHash('sha256');
  for (const { hash, sig } of records) digest.update(`${hash} ${sig}\n`);
  return digest.digest('base64');
}

/** The proposal id in the data of a verdict; undefined if it cannot be read: the walk over the chain reports that. */
export function proposalIdIn(data: string): string | undefined {
  try {
    const value = JSON.parse(data) as Json; // what `JSON.parse` gives
    const id = isJsonObject(value) ? value['proposal_id'] : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
