/** The embedded storage: one SQLite file, one writer at a time. */
export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.js';
