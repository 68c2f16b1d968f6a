/** Answers as charts. It loads what draws: who prints amounts alone takes the files of these. */
export { byImpact, type ChartedSeries, chartedSeries, seriesChart, seriesName } from './anomaly-chart.js';
export { anomalyCharts, type Charts, forecastCharts } from './charts.js';
export { leftOutWarning } from './cost-chart.js';
export { chartedForecasts, forecastChart } from './forecast-chart.js';
