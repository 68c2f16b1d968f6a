/** The embedded storage: one SQLite file, one writer at a time. */
export { type Check, inspectStore } from './inspect.js';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.js';
