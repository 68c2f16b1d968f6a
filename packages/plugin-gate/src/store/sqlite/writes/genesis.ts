import type { DatabaseSync } from 'node:sqlite';
import { defaultOrigin, genesisDraft, randomUuid, SALT_BYTES, sealRecords } from '../../../evidence/index.js';
import type { Signer } from '../../../keys/index.js';
import { beginWriting } from '../file/begin.js';
import { headReader, headWriter } from '../file/head.js';
import { recordInserter } from './append.js';

export interface Genesis {
  signer: Signer;
  /** RFC 3339, milliseconds. */
  time: string;
  dev: boolean;
  /** Name of the chain in checkpoints. Absent: made of its identifier. */
  origin: string | undefined;
  /** Gives that many random bytes. */
  random: (bytes: number) => Uint8Array;
}

/** Begins the chain, if there is none: its first record says which chain it is, and by which key it can be verified. */
export function ensureGenesis(db: DatabaseSync, { signer, time, dev, origin, random }: Genesis): void {
  const readHead = headReader(db);
  const insert = recordInserter(db);
  const writeHead = headWriter(db);
  if (readHead() !== undefined) return;
  beginWriting(db);
  try {
    // Another process may have begun it since.
    if (readHead() === undefined) {
      const chainId = randomUuid(random(16));
      const draft = genesisDraft({ chainId, origin: origin ?? defaultOrigin(chainId), publicKey: signer.publicKey, time, dev });
      const { records, head } = sealRecords(undefined, [draft], signer, () => random(SALT_BYTES));
      for (const record of records) insert(record);
      writeHead({ ...head, keyId: signer.keyId });
      db.prepare("INSERT INTO meta (name, value) VALUES ('chain_id', ?)").run(chainId);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The identifier of the chain; empty while there is none. */
export function chainIdOf(db: DatabaseSync): string {
  return String(db.prepare("SELECT value FROM meta WHERE name = 'chain_id'").get()?.value ?? '');
}
