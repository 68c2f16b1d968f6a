import pg, { type Pool } from 'pg';
import { StoreError } from '../../store.js';
import type { Queries } from './queries.js';

/** Connections of one store: one that accepts, one that numbers, one for acts of administrators. */
const WRITING = 3;
const READING = 4;

/** Milliseconds to wait for a connection, and for the answer to any statement. */
const CONNECT_MS = 5000;
const ANSWER_MS = 20_000;
/** Milliseconds for the connection that looks, so that a stall shows soon. */
const LOOK_MS = 3000;

const OLDEST_SERVER = 140_000;

/** What the connections of this program call themselves. Those of format 1 begin with `bylaw gate:`. */
export const PROGRAM = 'bylaw gate 2';

export interface Database {
  writing: Pool;
  /** Apart, so that readers never make a decision wait for a connection. */
  reading: Pool;
  /** One connection that only looks how the database is, and does not wait long for it. */
  looking: Pool;
  close(): Promise<void>;
}

export function connectTo(dsn: string): Database {
  const pool = (max: number, use: string, connectMs = CONNECT_MS, answerMs = ANSWER_MS) => {
    const made = new pg.Pool({
      connectionString: dsn,
      max,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: `${PROGRAM}: ${use}`,
    });
    // A connection that is lost while nobody uses it: the pool makes another one.
    made.on('error', () => {});
    return made;
  };
  const [writing, reading] = [pool(WRITING, 'writing'), pool(READING, 'reading')];
  const looking = pool(1, 'looking', LOOK_MS, LOOK_MS);
  return {
    writing,
    reading,
    looking,
    async close() {
      await Promise.all([writing.end(), reading.end(), looking.end()]);
    },
  };
}

interface ServerSettings {
  /** `170010` for 17.10. */
  version: number;
  name: string;
  fsync: string;
  synchronous: string;
  encoding: string;
}

/**
 * What the evidence relies on.
 * @throws {StoreError} AG-EVD-002 when the server is too old, or acknowledges what is not on its disk
 */
export async function checkServer(client: Queries): Promise<void> {
  const { rows } =
    await client.query<ServerSettings>(`SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous, current_setting('server_encoding') AS encoding`);
  const [settings] = rows; // always one
  if (settings === undefined) throw new StoreError('AG-EVD-002', 'The database does not say what it is.');
  const { version, name, fsync, synchronous, encoding } = settings;
  if (version < OLDEST_SERVER)
    throw new StoreError('AG-EVD-002', `The database is PostgreSQL ${name}; the store requires version 14 or newer.`);
  if (fsync !== 'on') throw new StoreError('AG-EVD-002', 'The database does not sync writes to disk (fsync is off).');
  if (synchronous === 'off')
    throw new StoreError('AG-EVD-002', 'The database acknowledges writes before they are on disk (synchronous_commit is off).');
  if (encoding !== 'UTF8') throw new StoreError('AG-EVD-002', `The database has the encoding ${encoding}; the store requires UTF8.`);
}
