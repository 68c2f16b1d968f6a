/** Calls again and again, `ms` milliseconds apart, until what it gives is called. Tests pass one that they move by hand. */
export type Timer = (run: () => void, ms: number) => () => void;

/** The system's timer. It keeps no process alive. */
export const systemTimer: Timer = (run, ms) => {
  const interval = setInterval(run, ms);
  interval.unref();
  return () => clearInterval(interval);
};
