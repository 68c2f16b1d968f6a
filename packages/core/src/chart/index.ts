/** Charts as SVG, and lines of blocks for terminals; who needs such a line or the texts of numbers alone loads `@bylaw/core/chart/sparkline` or `…/format-number`, without the axes. */
export { bandChart } from './band-chart.js';
export { barChart } from './bar-chart.js';
export type { BandChart, BarChart, Tornado } from './chart.js';
export { formatNumber } from './format-number.js';
export { type SparklineOptions, sparkline } from './sparkline.js';
export { CHART_STYLE } from './style.js';
export { standalone } from './svg.js';
export { tornado } from './tornado.js';
