/** The deferred storage: an outbox in PostgreSQL, any number of replicas, one sequencer at any moment. */
export { grantsFor } from './grants.js';
export { inspectDatabase } from './inspect.js';
export { type Migrated, type Migration, migrateFromSqlite } from './migrate-from-sqlite.js';
export { operate } from './operate.js';
export type { PostgresStoreOptions } from './options.js';
export { openPostgresStore } from './postgres-store.js';
export { drop, listQuarantine, type QuarantinedEntry, release, showQuarantined } from './quarantine.js';
export { type Upgraded, upgradeStore } from './upgrade.js';
export { openWhenThere } from './wait-for-database.js';
