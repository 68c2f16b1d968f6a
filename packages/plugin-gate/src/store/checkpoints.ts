import { checkpointNote, defaultOrigin, writeCheckpoint } from '../evidence/index.js';
import type { Signer } from '../keys/index.js';
import type { EvidenceStore } from './store.js';
import { systemTimer, type Timer } from './store-options.js';

export interface CheckpointOptions {
  store: Pick<EvidenceStore, 'head' | 'chainId' | 'problems'>;
  signer: Signer;
  /** Name of the chain in its checkpoints, if it is configured. */
  origin: string | undefined;
  dir: string;
  seconds: number;
  timer?: Timer;
  /** A checkpoint could not be written. The next one is tried in its time. */
  onError: (error: unknown) => void;
}

export interface CheckpointWriter {
  /** Writes one now, if the head has moved since the last. */
  write(): Promise<void>;
  /** Size of the last one that this writer wrote. */
  last(): number | null;
  /** Writes the last one, and ends. */
  stop(): Promise<void>;
}

/**
 * Writes a checkpoint of the chain again and again, and at the end, whenever the head has moved. One that is kept out of reach
 * of whoever runs the store shows later that records are missing or were rewritten.
 */
export function startCheckpoints(options: CheckpointOptions): CheckpointWriter {
  const { store, signer, origin, dir, seconds, timer = systemTimer, onError } = options;
  let last: number | null = null;
  let writing = Promise.resolve();

  const writeOne = async () => {
    try {
      const head = await store.head();
      // A chain that must not be continued, or whose key is another by now, is not this signer's to vouch for.
      if (
        head === undefined ||
        head.seq + 1 === last ||
        store.problems().some(({ code, blocks }) => code !== 'AG-EVD-002' && blocks !== false)
      )
        return;
      await writeCheckpoint(dir, checkpointNote(head, origin ?? defaultOrigin(store.chainId), signer));
      last = head.seq + 1;
    } catch (error) {
      onError(error);
    }
  };
  const write = () => {
    writing = writing.then(writeOne);
    return writing;
  };
  const stopTimer = timer(() => void write(), seconds * 1000);
  return {
    write,
    last: () => last,
    stop() {
      stopTimer();
      return write();
    },
  };
}
