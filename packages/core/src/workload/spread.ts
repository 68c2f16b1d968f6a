/** A number that is known only between two ends. */
export interface Spread {
  low: number;
  central: number;
  high: number;
}

export function exactly(value: number): Spread {
  return { low: value, central: value, high: value };
}

/** The part of its nodes that a cluster reserves, and the range of it that holds nine of ten clusters. Assumed. */
export const PACKING: Spread = { low: 0.45, central: 0.65, high: 0.85 };

/** How long a pod of a Job runs, in minutes, where nobody says. Assumed. */
export const JOB_MINUTES: Spread = { low: 1, central: 10, high: 60 };

/** A month: a twelfth of 8,760 hours. */
export const MONTH_HOURS = 730;
