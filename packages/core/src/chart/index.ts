/** Charts as SVG, and lines of blocks for terminals. */
export type { BandChart, BarChart } from './chart.js';
export { type SparklineOptions, sparkline } from './sparkline.js';
