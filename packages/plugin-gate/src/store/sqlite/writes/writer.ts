import { errorOf, type Failure } from '../file/failure.js';
import type { Chain } from './chain.js';
import type { Outcomes, Unit } from './unit.js';

/** Takes units, and answers each after its COMMIT has returned. */
export interface Writer {
  /** @throws {StoreError} nothing was recorded. @throws {RangeError} the unit asks for what cannot be */
  submit<Any extends Unit>(unit: Any): Promise<Outcomes[Any['kind']]>;
  /** See `Chain.probe`. */
  probe(): Promise<Failure | undefined>;
  /** Units that are not answered yet, and the instant at which the oldest of them came. */
  pending(): { count: number; since: number | null };
  /** Writes what was accepted, and ends. */
  close(): Promise<void>;
}

/** Writes on this thread, one unit at a time: for commands, which write one or two. */
export function directWriter(chain: Chain): Writer {
  return {
    async submit<Any extends Unit>(unit: Any) {
      const [answer] = chain.append([unit]);
      if (answer === undefined) throw new Error('The chain did not answer.');
      if ('failure' in answer) throw errorOf(answer.failure);
      return answer.outcome as Outcomes[Any['kind']]; // an outcome is of the kind of its unit
    },
    probe: async () => chain.probe(),
    pending: () => ({ count: 0, since: null }),
    close: async () => chain.close(),
  };
}
