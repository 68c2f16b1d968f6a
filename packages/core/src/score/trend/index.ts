/** How scores move over time. */
export { type ScoreTrend, type TrendQuery, type Trends, type TrendVerdict, trendsOf } from './trend.js';
