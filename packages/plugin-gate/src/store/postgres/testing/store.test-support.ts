import { randomBytes } from 'node:crypto';
import { systemClock } from '@bylaw/core/clock';
import type { StoredRecord } from '../../../evidence/index.js';
import { newKeyPem, signerFromPem } from '../../../keys/index.js';
import type { EvidenceStore } from '../../store.js';
import type { PostgresStoreOptions } from '../options.js';
import { openPostgresStore } from '../postgres-store.js';
import { startPostgres, type TestServer } from './server.test-support.js';

export const PEM = newKeyPem();
export const SIGNER = signerFromPem(PEM);
export const KEY = { pem: PEM, signer: SIGNER };

/** The server of a test file. Where there is none, the file's tests are skipped, and say why. */
export const server = await startPostgres();
export const absent = 'absent' in server ? server.absent : undefined;
if (absent !== undefined) console.error(`Skipped: ${absent}.`);

export function runningServer(): TestServer {
  if ('absent' in server) throw new Error(server.absent);
  return server;
}

/** A store in the database. Numbers come soon, so a test may wait long for them. */
export function openStore(dsn: string, said: Partial<PostgresStoreOptions> = {}): Promise<EvidenceStore> {
  return openPostgresStore({
    dsn,
    role: 'command',
    key: KEY,
    clock: systemClock,
    random: randomBytes,
    dev: false,
    reportedBy: 'system',
    replica: 'a',
    sequenceWaitMs: 20_000,
    pollMs: 20,
    ...said,
  });
}

export async function allRecords(store: EvidenceStore): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const part of store.records({ from: 0, to: Number.MAX_SAFE_INTEGER })) records.push(...part);
  return records;
}
