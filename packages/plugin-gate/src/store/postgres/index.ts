/** The deferred storage: an outbox in PostgreSQL, any number of replicas, one sequencer at any moment. */

export { openWhenThere } from './database/wait-for-database.js';
export { drop, listQuarantine, type QuarantinedEntry, release, showQuarantined } from './health/quarantine.js';
export { inspectDatabase } from './operate/inspect.js';
export { type Migrated, type Migration, migrateFromSqlite } from './operate/migrate-from-sqlite.js';
export { operate } from './operate/operate.js';
export { type Upgraded, upgradeStore } from './operate/upgrade.js';
export type { PostgresStoreOptions } from './options.js';
export { openPostgresStore } from './postgres-store.js';
export { grantsFor } from './schema/grants.js';
