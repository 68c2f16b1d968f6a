import type { Spread } from './spread.js';

/** The part of its nodes that a cluster reserves, and the range of it that holds nine of ten clusters. Assumed. */
export const PACKING: Spread = { low: 0.45, central: 0.65, high: 0.85 };
