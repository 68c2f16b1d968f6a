/** Statistics of forecasting, on plain numbers. */
export { type Candidates, candidates, METHODS, type Method, type SeriesKind } from './candidates.js';
