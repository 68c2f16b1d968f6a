import { dataHash, NO_HASH, readHeader, recordHash, type StoredRecord, signedText } from '../../../evidence/index.js';
import { publicKeyOf, verifySignature } from '../../../keys/index.js';

/**
 * What is wrong with a chain, checked record by record and apart from the code that makes it: numbers without a hole, links,
 * hashes, signatures, a verdict right after its proposal, one decision for an id, results after their decision, and the counts
 * of each replica without a hole.
 */
export function chainErrors(records: readonly StoredRecord[], publicKey: string): string[] {
  const errors: string[] = [];
  const key = publicKeyOf(publicKey);
  const counted = new Map<string, Set<number>>();
  const verdicts = new Map<string, number>();
  let link = NO_HASH;
  records.forEach((record, index) => {
    const header = readHeader(record);
    const wrong = (what: string) => errors.push(`${index}: ${what}`);
    if (record.seq !== index || header.seq !== index) wrong(`number ${record.seq}`);
    if (header.prev_hash !== link) wrong('link');
    if (recordHash(record.header) !== record.hash) wrong('hash');
    if (!verifySignature(signedText(record.hash), record.sig, key)) wrong('signature');
    link = record.hash;
    if (record.data === null || record.salt === null) return;
    if (dataHash(Buffer.from(record.salt, 'hex'), record.data) !== header.data_hash) wrong('data hash');
    const data = JSON.parse(record.data);
    // Genesis has a text of this name.
    if (typeof data.origin === 'object') {
      const seen = counted.get(data.origin.replica) ?? new Set();
      if (seen.has(data.origin.n)) wrong(`count ${data.origin.n} twice`);
      counted.set(data.origin.replica, seen.add(data.origin.n));
    }
    if (record.type === 'verdict') {
      const before = records[index - 1];
      if (before?.type !== 'proposal' || (before.data !== null && JSON.parse(before.data).proposal.id !== data.proposal_id))
        wrong('verdict without its proposal');
      if (data.proposal_seq !== index - 1) wrong('number of the proposal');
      if (verdicts.has(data.proposal_id)) wrong('decided twice');
      verdicts.set(data.proposal_id, index);
    }
    if (record.type === 'result' && verdicts.get(data.proposal_id) !== data.verdict_seq) wrong('result without its verdict');
  });
  for (const [replica, seen] of counted) for (let n = 1; n <= seen.size; n++) if (!seen.has(n)) errors.push(`${replica}: ${n} is missing`);
  return errors;
}

/** Identifiers of the proposals that the chain has a verdict on. */
export function decidedIds(records: readonly StoredRecord[]): string[] {
  return records.flatMap(({ type, data }) => (type === 'verdict' && data !== null ? [String(JSON.parse(data).proposal_id)] : []));
}
