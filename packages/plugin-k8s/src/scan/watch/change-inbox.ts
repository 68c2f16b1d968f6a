import type { KubernetesObject } from '../../cluster/cluster.js';

/** What happened to an object; of several changes the last one counts. */
export interface Change {
  /** See `keyOfObject`. */
  key: string;
  /** Name of the kind. */
  kind: string;
  /** Absent: it is gone. */
  object: KubernetesObject | undefined;
  /** It waited already for the controller that it names. */
  waited?: boolean;
}

/** Changes on their way from those that watch to the one that evaluates. */
export interface ChangeInbox {
  /** Resolves when there is room for more: who brings changes waits for it, so that a flood of them does not fill memory. */
  put(change: Change): Promise<void>;
  /** Wakes whoever waits for changes, without one. */
  wake(): void;
  /** Resolves when there is something to do. */
  waiting(): Promise<void>;
  /** Resolves when there is no more room. */
  full(): Promise<void>;
  take(): Change[];
  /** Has a change taken again later, unless a newer one of its object has come. */
  giveBack(change: Change): void;
}

/** As many changes wait; a page of a list fits. */
const ROOM = 500;

export function changeInbox(): ChangeInbox {
  const changes = new Map<string, Change>();
  let work = Promise.withResolvers<void>();
  let full = Promise.withResolvers<void>();
  let room = Promise.withResolvers<void>();
  const put = (change: Change) => {
    changes.set(change.key, change);
    work.resolve();
    if (changes.size >= ROOM) full.resolve();
  };
  return {
    async put(change) {
      put(change);
      if (changes.size >= ROOM) await room.promise;
    },
    wake: () => work.resolve(),
    waiting: () => work.promise,
    full: () => full.promise,
    take() {
      const taken = [...changes.values()];
      changes.clear();
      room.resolve();
      work = Promise.withResolvers();
      full = Promise.withResolvers();
      room = Promise.withResolvers();
      return taken;
    },
    giveBack(change) {
      if (!changes.has(change.key)) put(change);
    },
  };
}
