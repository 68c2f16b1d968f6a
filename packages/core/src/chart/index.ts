/** Charts as SVG. */
export type { BandChart, BarChart } from './chart.js';
