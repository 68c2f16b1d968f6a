import type { Pool } from 'pg';
import { followHead, type HeadFollower } from '../chain/head.js';
import { checkServer, connectTo } from '../database/database.js';
import { storeErrorOf } from '../schema/transaction.js';

/**
 * Does what an operator does to a database beside its servers.
 * @throws {StoreError} AG-EVD-002 when the database cannot be used; all that the work throws
 */
export async function operate<Result>(dsn: string, work: (pool: Pool, head: HeadFollower) => Promise<Result>): Promise<Result> {
  const database = connectTo(dsn);
  try {
    await checkServer(database.writing);
    return await work(database.writing, followHead());
  } catch (error) {
    throw storeErrorOf(error);
  } finally {
    await database.close().catch(() => {});
  }
}
