import type { DatabaseSync } from 'node:sqlite';
import { SALT_BYTES } from '../../evidence/index.js';
import type { Signer } from '../../keys/index.js';
import { contradictionWith, type HashAt, readNewest, setAside } from '../rollback.js';
import { StoreError } from '../store.js';
import type { StoreOptions, Timer } from '../store-options.js';
import { openWriting } from './file/connection.js';
import { withStoreErrors } from './file/failure.js';
import { headReader, type StoredHead } from './file/head.js';
import { mustBeUpgraded, upgradeBesideServers, upgradeStore } from './upgrade/upgrade.js';
import { openChain } from './writes/chain.js';
import { ensureGenesis } from './writes/genesis.js';
import { directWriter } from './writes/writer.js';

export interface SqliteStoreOptions extends StoreOptions {
  /** A server holds the file for itself among servers. */
  path: string;
  /** The process must end: what the disk holds is not known any more, or the writing thread is gone. */
  onFatal?: ((error: Error) => void) | undefined;
  timer?: Timer | undefined;
  /** Is told of what the tables say otherwise than the records, and of records that cannot be verified. */
  onMismatch?: ((message: string) => void) | undefined;
}

/**
 * Makes the file a store, or upgrades one of an earlier version, begins the chain, and looks at its end.
 * @returns what keeps it from being continued
 */
export async function prepareStore(options: SqliteStoreOptions): Promise<StoreError | undefined> {
  const { path, key, clock, dev, origin, random, checkpointDir, acceptRollback } = options;
  const db = openWriting(path, undefined, 1);
  try {
    // Before the head: another process may be writing both, and a checkpoint is never older than its head.
    const checkpoint = checkpointDir === undefined ? undefined : await readNewest(checkpointDir);
    const { head, broken } = withStoreErrors(() => endOf(db));
    if (broken) return broken;
    const hashAt = hashReader(db);
    const contradiction = checkpoint && (await contradictionWith(checkpoint, head, hashAt));
    if (contradiction !== undefined && !acceptRollback) return new StoreError('AG-EVD-004', contradiction);
    if ('problem' in key) return new StoreError('AG-EVD-001', key.problem);
    if (mustBeUpgraded(db)) {
      const failure = upgraded(options, key.signer);
      if (failure) return failure;
    }
    withStoreErrors(() => ensureGenesis(db, { signer: key.signer, time: clock.now().toISOString(), dev, origin, random }));
    const current = headReader(db)();
    if (current && current.keyId !== key.signer.keyId)
      return new StoreError('AG-EVD-001', 'the evidence signing key is not the active key of the chain');
    // The head as it was found: the mark of an upgrade may have been recorded since.
    const found = head ?? current;
    if (contradiction !== undefined && checkpointDir !== undefined && checkpoint && found)
      await accept(options, found, checkpoint, checkpointDir, hashAt);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'AG-EVD-004') return error;
    throw error;
  } finally {
    db.close();
  }
}

function hashReader(db: DatabaseSync): HashAt {
  return (seq) => withStoreErrors(() => db.prepare('SELECT hash FROM record WHERE seq = ?').get(seq)?.hash as string | undefined);
}

/** Waits for nothing but a server that begins at the same moment. @returns why the store stays as it was: it can be read, and is tried again at the next start */
function upgraded({ path, role, clock, dev, random }: SqliteStoreOptions, signer: Signer): StoreError | undefined {
  const upgrade = { path, signer, time: clock.now().toISOString(), dev, random };
  try {
    if (role === 'server') upgradeStore(upgrade);
    else upgradeBesideServers(upgrade);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** The head is written with the last record, so in one snapshot they are one, unless another program wrote the file. */
function endOf(db: DatabaseSync): { head: StoredHead | undefined; broken: StoreError | undefined } {
  db.exec('BEGIN');
  try {
    const head = headReader(db)();
    const last = db.prepare('SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1').get();
    const whole = last?.seq === head?.seq && last?.hash === head?.hash;
    return { head, broken: whole ? undefined : new StoreError('AG-EVD-004', 'The head of the chain is not its last record.') };
  } finally {
    db.exec('COMMIT');
  }
}

async function accept(
  options: SqliteStoreOptions,
  head: StoredHead,
  checkpoint: { size: number; root: string },
  dir: string,
  hashAt: HashAt,
): Promise<void> {
  const { path, key, random, clock, dev, reportedBy } = options;
  if ('problem' in key) return;
  const writer = directWriter(openChain({ path, signer: key.signer, salt: () => random(SALT_BYTES) }));
  const data = {
    action: 'chain.accept_rollback',
    operator: reportedBy,
    checkpoint: { size: checkpoint.size, root: checkpoint.root },
    head: { seq: head.seq, hash: head.hash },
  };
  try {
    await writer.submit({ kind: 'admin', type: 'admin_action', time: clock.now().toISOString(), dev, reportedBy, data });
    // Recorded first: a checkpoint that is out of the comparison must have a record that says why.
    await setAside(dir, head, hashAt);
  } finally {
    await writer.close();
  }
}
