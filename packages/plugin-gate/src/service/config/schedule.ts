/** Something that is done again and again. */
export interface Schedule {
  /** Waits for a run that is under way, and starts no more. */
  stop(): Promise<void>;
}

/**
 * Runs a task every so often, one run after the other, and keeps no process alive for it.
 * @param failed told when a run throws; the next one comes all the same
 */
export function every(seconds: number, task: () => Promise<void>, failed: (error: unknown) => void): Schedule {
  let running = Promise.resolve();
  let stopped = false;
  let timer = setTimeout(run, seconds * 1000).unref();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };

  function run() {
    running = task()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(run, seconds * 1000).unref();
      });
  }
}
