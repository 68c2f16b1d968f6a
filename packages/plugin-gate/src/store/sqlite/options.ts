import type { StoreOptions } from '../store-options.js';
import type { Timer } from '../timer.js';

export interface SqliteStoreOptions extends StoreOptions {
  /** A server holds the file for itself among servers. */
  path: string;
  /** The process must end: what the disk holds is not known any more, or the writing thread is gone. */
  onFatal?: ((error: Error) => void) | undefined;
  timer?: Timer | undefined;
  /** Is told of what the tables say otherwise than the records, and of records that cannot be verified. */
  onMismatch?: ((message: string) => void) | undefined;
}
