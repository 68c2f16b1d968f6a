/** Energy and emissions of what is running, with ranges. */

export { type CarbonDifference, differenceOf } from './difference.js';
export { answerOf, type EstimationResult, estimate, estimation, type ReadBefore } from './estimate.js';
export { contextOf } from './parameters.js';
export { minus, plus, type Quantity, type Sums, shownTotal, sumsOf, times, toRange, totalOf } from './totals.js';
export type {
  Assumptions,
  CarbonEstimate,
  Comparison,
  EstimatedItem,
  EstimateInputs,
  EstimateRequest,
  EstimateTotal,
  Estimation,
  ItemEnergy,
  ItemEstimation,
  ItemFactors,
  ItemSamples,
  Method,
  NodeGroup,
  Ranged,
  Sci,
  UsageEntry,
} from './types.js';
