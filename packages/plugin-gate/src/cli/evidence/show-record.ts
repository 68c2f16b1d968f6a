import type { Installation } from '@bylaw/core/installation';
import { gateError } from '../../error-table.js';
import { inclusionProof, recordLine, tlogProof } from '../../evidence/index.js';
import { withStoreToRead } from '../open/read-store.js';
import { checkpointCovering } from './checkpoint.js';

/**
 * A record as its line, or the proof that it is in the chain, with the line in it.
 * @throws {BylawError} AG-EVD-003 when there is none; AG-EVD-…
 */
export async function showRecord(installation: Installation, seq: number, proof: boolean): Promise<string> {
  return await withStoreToRead(installation, async (store, config) => {
    const record = await store.record(String(seq));
    if (record === undefined || record === 'pending') throw gateError('AG-EVD-003', `Record ${seq} does not exist.`);
    const line = recordLine(record);
    if (!proof) return `${line}\n`;
    const { size, note } = await checkpointCovering(seq, installation, store, config);
    return tlogProof(seq, await inclusionProof(seq, size, store.records({ from: 0, to: size - 1 })), note, line);
  });
}
