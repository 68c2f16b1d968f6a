import type { ChainHead, StoredRecord } from '../../evidence/index.js';
import type { CheckPass } from '../rolling-check.js';
import { type EvidenceStore, UnverifiedError } from '../store.js';
import { beginWalk, type Walk, walkOn } from '../verify/walk.js';
import { digestRecords, MOST_FAULTS, proposalIdIn, STEP_RECORDS } from './check-step.js';

/**
 * Follows the chain of any store: numbers, links, digests and signatures, and for each decision that its id is used and leads to its
 * records. It ends with the record that was the last one when it began. Times may go back: replicas have a clock each.
 * @param verified digests of steps whose signatures have been verified, by their first record: the next pass only compares them
 */
export function passOver(store: Pick<EvidenceStore, 'head' | 'records' | 'proposal'>, verified: Map<number, string>): CheckPass {
  const walk = beginWalk();
  const faults: string[] = [];
  let head: ChainHead | undefined;
  let next = 0;
  return {
    async step() {
      if (next === 0) head = await store.head();
      const end = head?.seq ?? -1;
      const last = Math.min(end, next + STEP_RECORDS - 1);
      const records = await recordsBetween(store, next, last);
      const digest = digestRecords(records);
      const signatures = verified.get(next) !== digest;
      const before = walk.faults.length;
      for (const record of records) {
        walkOn(walk, record, { signatures, times: false });
        if (record.type === 'verdict') faults.push(...(await decisionFaults(store, record)));
      }
      if (walk.faults.length === before) verified.set(next, digest);
      next = last + 1;
      const done = next > end;
      if (done) faults.push(...headFaults(head, walk));
      return { checked: next, records: end + 1, faults: [...walk.faults, ...faults].slice(0, MOST_FAULTS), done };
    },
  };
}

async function recordsBetween(store: Pick<EvidenceStore, 'records'>, from: number, to: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  if (from <= to) for await (const batch of store.records({ from, to })) records.push(...batch);
  return records;
}

/** An erased verdict no longer says whose it is. */
async function decisionFaults(store: Pick<EvidenceStore, 'proposal'>, { seq, data }: StoredRecord): Promise<string[]> {
  const id = data === null ? undefined : proposalIdIn(data);
  if (id === undefined) return [];
  try {
    const proposal = await store.proposal(id);
    if (proposal === undefined) return [`record ${seq}: the id of its proposal is not in the table of used ids`];
    const [, decidedIn] = proposal.recorded.seq;
    return decidedIn === seq ? [] : [`record ${seq}: its proposal was decided in record ${decidedIn}`];
  } catch (error) {
    if (error instanceof UnverifiedError) return [error.message];
    throw error;
  }
}

function headFaults(head: ChainHead | undefined, walk: Walk): string[] {
  if (head === undefined) return [];
  return [
    ...(head.seq + 1 === walk.size && head.hash === walk.hash
      ? []
      : [`the head is at record ${head.seq}, but the last record is ${walk.size - 1}`]),
    ...(head.frontier.join() === walk.frontier.join() ? [] : ['the tree of the head does not match the records']),
  ];
}
