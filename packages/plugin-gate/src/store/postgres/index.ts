/** The deferred storage: an outbox in PostgreSQL, any number of replicas, one sequencer at any moment. */
export { grantsFor } from './grants.js';
export { openPostgresStore, type PostgresStoreOptions } from './postgres-store.js';
