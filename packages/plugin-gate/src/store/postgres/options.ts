import type { StoreOptions } from '../store-options.js';
import type { SequencerStep } from './sequence/sequence.js';

export interface PostgresStoreOptions extends StoreOptions {
  /** Connection string. */
  dsn: string;
  /**
   * Name under which this replica counts what it accepts; the name of the host fits. A name that stays the same from start to
   * start lets its next decision show what was taken away before. Processes that share one wait for each other.
   */
  replica: string;
  /** Milliseconds that an answer waits for its place in the chain. */
  sequenceWaitMs: number;
  /** Milliseconds between two looks at the outbox. */
  pollMs: number;
  /** Is told of what the check of the store finds. */
  onMismatch?: ((message: string) => void) | undefined;
  /** For tests: where this process may die. */
  onStep?: ((step: StoreStep) => void) | undefined;
  /** For tests of the other guards: false numbers without the lock. */
  lock?: boolean | undefined;
}

/** `accepted`: after a batch is in the outbox, before anyone is answered. */
export type StoreStep = SequencerStep | 'before-accept' | 'accepted';
