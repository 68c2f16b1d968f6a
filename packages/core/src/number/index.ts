/** Arithmetic whose results do not depend on the order of the input or the version of the engine. */
export { secondsOf } from './duration.js';
export { ExactSum, exactSum } from './exact-sum.js';
export { normalQuantile, normalTail } from './normal.js';
export { median, quantile, sorted } from './quantile.js';
export { Quantity } from './quantity.js';
export { money, roundDecimals, roundSignificant } from './round.js';
