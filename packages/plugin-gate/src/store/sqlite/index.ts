/** The embedded storage: one SQLite file, one writer at a time. */
export { type Check, inspectStore } from './check/inspect.js';
export type { SqliteStoreOptions } from './prepare-store.js';
export { openSqliteStore } from './sqlite-store.js';
