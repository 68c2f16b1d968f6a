/** The only way time enters the product. Tests pass a fixed one; only the edges (command, server) use the system's. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that always tells the same instant. */
export function fixedClock(instant: string | Date): Clock {
  const at = new Date(instant);
  return { now: () => new Date(at) };
}
